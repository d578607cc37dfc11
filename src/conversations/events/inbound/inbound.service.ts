import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { SandboxCaller } from '../../../kernel/auth';
import { isRecord, parseUuid, Clock } from '../../../kernel/common';
import { ConversationReports, type ReportedState } from '../../conversations';
import { SandboxLifecycle } from '../../../sandboxes/sandboxes';
import { ConversationRefresh } from '../state/event-backfill';
import { stateOfEvents, stateOfInfo } from '../state/reported-state';
import { ForeignConversationError, MalformedCallError } from '../storage/events.errors';
import { type ReceivedEvent, readEvent } from '../storage/received-event';
import { EventIntake } from './event-intake';
import { InboundConversations } from './inbound-conversations';
import { rawJsonItems } from '../../../kernel/validation';

/** The kind of events that a model's answer comes in while it is written; they are passed on and never stored. */
export const TRANSIENT_KIND = 'StreamingDeltaEvent';

/** Takes the transient events of a conversation, as JSON texts. */
type TransientListener = (conversationId: string, events: readonly string[]) => void;

/** Passes on what agent servers report and nobody stores (docs/contract.md#what-is-stored). */
@Injectable()
export class TransientEvents {
  private readonly listeners: TransientListener[] = [];

  /** Calls back for transient events; must be quick. */
  onArrival(listener: TransientListener): void {
    this.listeners.push(listener);
  }

  /** Passes on some transient events of a conversation, in their order. */
  pass(conversationId: string, events: readonly string[]): void {
    if (events.length > 0) for (const listener of this.listeners) listener(conversationId, events);
  }
}

/** Whether the JSON text of an event is one that is passed on only. */
export function isTransient(text: string): boolean {
  if (!text.includes(TRANSIENT_KIND)) return false;
  try {
    const event: unknown = JSON.parse(text);
    return isRecord(event) && event.kind === TRANSIENT_KIND;
  } catch {
    return false;
  }
}

/** The body of a call of an agent server. */
interface InboundBatch {
  /** To be stored. */
  readonly events: readonly ReceivedEvent[];
  /** JSON texts of transient events. */
  readonly transient: readonly string[];
}

/** Reads the events of agent servers' calls. */
@Injectable()
export class InboundBatches {
  private readonly log = new Logger('Events');

  constructor(
    private readonly clock: Clock,
    private readonly transient: TransientEvents,
  ) {}

  /**
   * @param body the JSON text of an array of events
   * @throws MalformedCallError for one without any event
   */
  read(body: string): InboundBatch {
    const receivedAt = this.clock.now();
    const texts = rawJsonItems(body);
    const transient = texts.filter(isTransient);
    const lasting = transient.length === 0 ? texts : texts.filter((text) => !isTransient(text));
    const events = lasting.map((text) => readEvent(text, receivedAt)).filter((event) => event !== null);
    if (events.length === lasting.length) return { events, transient };
    // The agent server would drop all of them.
    if (events.length === 0 && transient.length === 0)
      throw new MalformedCallError('No event is an object with an id.');
    this.log.warn(`Skipped ${lasting.length - events.length} of ${texts.length} events without an id`);
    return { events, transient };
  }

  /** Relays transient events. */
  pass(conversationId: string, { transient }: InboundBatch): void {
    this.transient.pass(conversationId, transient);
  }
}

/** Takes the calls of agent servers; what they report is stored when it returns (docs/contract.md#inbound-webhooks). */
@Injectable()
export class InboundService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly admission: InboundConversations,
    private readonly intake: EventIntake,
    private readonly conversations: ConversationReports,
    private readonly refresh: ConversationRefresh,
    private readonly lifecycle: SandboxLifecycle,
    private readonly batches: InboundBatches,
  ) {}

  /**
   * @param conversation its id as the path has it
   * @param body the JSON text of an array of events
   * @throws ForeignConversationError, MalformedCallError
   */
  async takeEvents(sandbox: SandboxCaller, conversation: string, body: string): Promise<void> {
    const conversationId = parseUuid(conversation);
    if (conversationId === null) throw new ForeignConversationError();
    const batch = this.batches.read(body);
    let sandboxId = await this.takeAtOnce(sandbox, conversationId, batch);
    sandboxId ??= await this.takeInSteps(sandbox, conversationId, batch);
    this.touch(sandboxId);
  }

  /**
   * @param info a conversation as its agent server describes it
   * @throws ForeignConversationError, MalformedCallError
   */
  async takeConversation(sandbox: SandboxCaller, info: unknown): Promise<void> {
    if (!isRecord(info) || typeof info.id !== 'string')
      throw new MalformedCallError('The body must be a conversation with an id.');
    const conversationId = parseUuid(info.id);
    if (conversationId === null) throw new MalformedCallError('The id of a conversation is a UUID.');
    const sandboxId = await this.database.transaction(async (transaction) => {
      const admitted = await this.admission.admit(transaction, sandbox, conversationId);
      await this.conversations.apply(transaction, conversationId, stateOfInfo(info));
      return admitted;
    });
    this.touch(sandboxId);
  }

  /**
   * What nearly all calls come to: one statement, without a transaction where nobody has to do anything in it
   * (docs/decisions/0049-events-taken-by-one-statement.md).
   * @returns the sandbox of the conversation; null where nothing is done yet
   */
  private async takeAtOnce(
    sandbox: SandboxCaller,
    conversationId: string,
    batch: InboundBatch,
  ): Promise<string | null> {
    const { events, transient } = batch;
    if (events.length === 0) return this.passOnly(sandbox, conversationId, batch);
    if (new Set(events.map(({ id }) => id)).size < events.length) return null;
    const call = { sandbox, conversationId, events };
    const report = stateOfEvents(events);
    const refresh = endsRun(report) ? this.refresh.jobFor(conversationId) : null;
    const needsTransaction = transient.length > 0 || this.intake.isHeard(call, report);
    const taken = needsTransaction
      ? await this.database.transaction(async (transaction) => {
          const stored = await this.intake.takeIn(transaction, call, report, refresh);
          // After the commit streams may show what is stored, and the deltas that led up to it come first.
          if (stored !== null) this.batches.pass(conversationId, batch);
          return stored;
        })
      : await this.intake.take(call, report, refresh);
    if (taken === null) return null;
    this.conversations.touch(conversationId);
    return taken.sandboxId;
  }

  /** Of what is stored nowhere, only the caller is checked. */
  private async passOnly(
    sandbox: SandboxCaller,
    conversationId: string,
    batch: InboundBatch,
  ): Promise<string | null> {
    const admitted = await this.admission.admitKnown(sandbox, conversationId);
    if (admitted !== undefined) this.batches.pass(conversationId, batch);
    return admitted ?? null;
  }

  /** Also what is known in part, of a conversation that the service meets for the first time, or near a limit. */
  private takeInSteps(
    sandbox: SandboxCaller,
    conversationId: string,
    batch: InboundBatch,
  ): Promise<string | null> {
    return this.database.transaction(async (transaction) => {
      const admitted = await this.admission.admit(transaction, sandbox, conversationId);
      const call = { sandbox, conversationId, events: batch.events };
      const fresh = await this.intake.takeInSteps(transaction, call);
      const reported = stateOfEvents(fresh);
      if (fresh.length > 0)
        await this.conversations.apply(transaction, conversationId, { ...reported, hasNewEvents: true });
      if (endsRun(reported)) await this.refresh.later(transaction, conversationId);
      this.batches.pass(conversationId, batch);
      return admitted;
    });
  }

  /** A report counts as a use of the sandbox: its agents are at work. */
  private touch(sandboxId: string | null): void {
    if (sandboxId !== null) this.lifecycle.touch(sandboxId);
  }
}

/** Whether an agent does not run any more: its server has a title then, and final totals. */
function endsRun({ executionStatus }: ReportedState): boolean {
  return executionStatus !== undefined && executionStatus !== 'running';
}
