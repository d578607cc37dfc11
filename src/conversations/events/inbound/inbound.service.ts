import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { SandboxCaller } from '../../../kernel/auth';
import { isRecord, parseUuid, Clock } from '../../../kernel/common';
import { ConversationReports } from '../../conversations';
import { SandboxLifecycle } from '../../../sandboxes/sandboxes';
import { ConversationRefresh } from '../state/event-backfill';
import { stateOfEvents, stateOfInfo } from '../state/reported-state';
import { EventRepository } from '../storage/event.repository';
import { ForeignConversationError, MalformedCallError } from '../storage/events.errors';
import { type ReceivedEvent, readEvent } from '../storage/received-event';
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
    private readonly events: EventRepository,
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
    const sandboxId = await this.database.transaction(async (transaction) => {
      const admitted = await this.admission.admit(transaction, sandbox, conversationId);
      await this.store(transaction, conversationId, batch.events);
      // Before the commit: after it, streams may show what is stored, and the deltas that led up to it come first.
      this.batches.pass(conversationId, batch);
      return admitted;
    });
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

  private async store(
    transaction: EntityManager,
    conversationId: string,
    events: readonly ReceivedEvent[],
  ): Promise<void> {
    const fresh = await this.events.add(transaction, conversationId, events);
    if (fresh.length === 0) return;
    const reported = stateOfEvents(fresh);
    await this.conversations.apply(transaction, conversationId, { ...reported, hasNewEvents: true });
    if (reported.executionStatus !== undefined && reported.executionStatus !== 'running')
      await this.refresh.later(transaction, conversationId);
  }

  /** A report counts as a use of the sandbox: its agents are at work. */
  private touch(sandboxId: string | null): void {
    if (sandboxId !== null) this.lifecycle.touch(sandboxId);
  }
}
