import { Injectable, Inject } from '@nestjs/common';
import { BudgetExhaustedError, type ExhaustedBudget, exhaustedOf } from '../../../agents/budgets';
import type { Caller } from '../../../kernel/auth';
import { CallsTogether } from '../../../kernel/database';
import { isRecording } from '../../../kernel/telemetry';
import {
  SandboxNotRunningError,
  SandboxReader,
  type SandboxView,
  SandboxWaker,
  SandboxLifecycle,
  WaitingCalls,
  type RunningSandbox,
  SandboxFailedError,
} from '../../../sandboxes/sandboxes';
import { ConversationAccess } from '../access/conversation-access';
import { ConversationQueue } from '../queue/conversation-queue';
import { SandboxNotFoundError } from '../record/conversations.errors';
import { shownSandboxStatus } from '../record/sandbox-status';
import type { AppSendMessageResponse, QueuedSendResponse } from './send-message.dto';
import {
  RunRequiredToWakeError,
  MessageNotSentError,
  messageRefused,
  UnknownToAgentServerError,
  ConversationArchivedError,
} from './send-message.errors';
import { SEND_TARGET, SEND_TARGETS, type TargetConversation, type TargetRow } from './send-target.read-model';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { AgentMessages } from '../agent-messages/agent-messages';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** The target of a message. */
interface SendTarget {
  readonly conversation: TargetConversation;
  /** Null when the conversation has none, or an unknown one. */
  readonly sandbox: SandboxView | null;
  /** A budget without room that the conversation counts in; null where all have some. */
  readonly exhaustedBudget: ExhaustedBudget | null;
}

/** Targets that are looked up by one statement. */
const MOST_TOGETHER = 64;

/** Reads where messages go: conversations and their sandboxes, those of messages that come at once in one statement. */
@Injectable()
export class SendTargets {
  private readonly together = new CallsTogether(
    (ids: readonly string[]) => this.look(ids),
    () => 1 / MOST_TOGETHER,
  );

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: SandboxReader,
  ) {}

  /**
   * @param conversationId in its canonical spelling
   * @returns null for an unknown or deleted conversation
   */
  async find(conversationId: string): Promise<SendTarget | null> {
    // A statement of several is a part of no trace.
    const found = isRecording() ? null : await this.together.take(conversationId);
    const [row] = found ?? (await this.look([conversationId])).flat();
    if (row === undefined) return null;
    const exhaustedBudget = row.exhaustedBudget && exhaustedOf(row.exhaustedBudget);
    return { conversation: row, sandbox: this.sandboxes.viewOf(row), exhaustedBudget };
  }

  /** @returns the row of each conversation, in its place; none for one that is not there */
  private async look(ids: readonly string[]): Promise<TargetRow[][]> {
    const asked = [...new Set(ids)];
    const rows = await (asked.length === 1
      ? SEND_TARGET.rows(this.database, asked)
      : SEND_TARGETS.rows(this.database, [asked]));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => [byId.get(id) ?? []].flat());
  }
}

/**
 * The sandbox as one that takes messages.
 * @throws what else it is, in the order of docs/contract.md#send-message-errors: SandboxNotFoundError,
 *   ConversationArchivedError, SandboxFailedError, UnknownToAgentServerError, SandboxNotRunningError
 */
export function running(conversation: TargetConversation, sandbox: SandboxView | null): RunningSandbox {
  if (sandbox === null) throw new SandboxNotFoundError();
  const status = sandbox.stopping ? 'STOPPING' : shownSandboxStatus(conversation, sandbox);
  if (status === 'MISSING') throw new ConversationArchivedError();
  if (status === 'ERROR') throw new SandboxFailedError();
  // Whatever the agent server has under this id is another conversation.
  if (conversation.startState === 'failed') throw new UnknownToAgentServerError();
  const { agentServer } = sandbox;
  if (status !== 'RUNNING' || agentServer === null) throw new SandboxNotRunningError(status, sandbox.id);
  return { ...sandbox, agentServer };
}

/** @throws BudgetExhaustedError where a budget has no room for what the message leads to */
function assertInBudget(target: SendTarget | null): void {
  if (target?.exhaustedBudget) throw new BudgetExhaustedError(target.exhaustedBudget);
}

/** Responses of an agent server to a message that will not get better by sending it again. */
const MALFORMED: readonly number[] = [400, 413, 422];

/** Hands a message to the agent server as it came: a thin proxy (docs/contract.md#what-the-service-does). */
@Injectable()
export class SendMessageService {
  constructor(
    private readonly targets: SendTargets,
    private readonly access: ConversationAccess,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly messages: AgentMessages,
    private readonly waiting: WaitingCalls,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param rawBody the JSON text for the agent server, `{role, content, run}`
   * @throws in the order of docs/contract.md#send-message-errors: ConversationNotFoundError,
   *   SandboxNotFoundError, ConversationArchivedError, SandboxFailedError, SandboxNotRunningError,
   *   BudgetExhaustedError, TooManyWaitingCallsError, UnknownToAgentServerError, ValidationError (what the agent
   *   server finds malformed), MessageNotSentError
   */
  async send(caller: Caller, conversationId: string, rawBody: string): Promise<AppSendMessageResponse> {
    const target = await this.targets.find(conversationId);
    const conversation = await this.access.ownedRow(caller, target?.conversation);
    const sandbox = running(conversation, target?.sandbox ?? null);
    assertInBudget(target);
    this.lifecycle.touch(sandbox.id);
    const timeoutMs = this.settings.SEND_TIMEOUT_SECONDS * 1000;
    const waiting = { userId: caller.userId, conversationId: conversation.id, sandbox };
    const outcome = await this.waiting.run(waiting, () =>
      this.messages.send(
        { server: sandbox.agentServer, conversationId: conversation.id, sandboxId: sandbox.id },
        rawBody,
        timeoutMs,
      ),
    );
    if (outcome.kind === 'delivered') return { success: true, sandbox_status: 'RUNNING' };
    if (outcome.kind === 'not_found') throw new UnknownToAgentServerError();
    // It may just have been paused or deleted: then the caller gets that error.
    if (outcome.kind === 'unavailable') running(conversation, await this.sandboxes.byId(sandbox.id));
    if (outcome.kind === 'refused' && MALFORMED.includes(outcome.status))
      throw messageRefused(outcome.reason);
    throw new MessageNotSentError(outcome.reason, outcome.kind === 'unknown');
  }
}

/** A message for a sandbox that may have to be resumed first. */
interface WakingMessage {
  /** The JSON text of its blocks, as it came. */
  readonly content: string;
  readonly run: boolean;
  /** The JSON text for the agent server, `{role, content, run}`. */
  readonly rawBody: string;
}

/** Sends messages, and resumes the sandboxes that they are for (docs/contract.md#waking-a-sandbox). */
@Injectable()
export class WakingSends {
  constructor(
    private readonly messages: SendMessageService,
    private readonly targets: SendTargets,
    private readonly access: ConversationAccess,
    private readonly sandboxes: SandboxReader,
    private readonly waker: SandboxWaker,
    private readonly queue: ConversationQueue,
  ) {}

  /**
   * Sends a message to a sandbox that runs; queues it for one that does not, and resumes that, both or neither.
   * @throws RunRequiredToWakeError, those of {@link SendMessageService.send}, of SandboxWaker.wake and of
   *   ConversationQueue.add
   */
  async send(
    caller: Caller,
    conversationId: string,
    message: WakingMessage,
  ): Promise<AppSendMessageResponse | QueuedSendResponse> {
    if (!message.run) throw new RunRequiredToWakeError();
    const target = await this.targets.find(conversationId);
    const conversation = await this.access.ownedRow(caller, target?.conversation);
    const sandbox = target?.sandbox ?? null;
    if (sandbox === null) throw new SandboxNotFoundError();
    const isRunning = isRunningNow(conversation, sandbox);
    // What waits for a budget wakes nothing.
    assertInBudget(target);
    return (
      (isRunning ? await this.sentAtOnce(caller, conversation.id, message) : null) ??
      this.queued(caller, conversation, sandbox.id, message)
    );
  }

  /** Null where the message would overtake others, and for a sandbox that does not run any more. */
  private async sentAtOnce(
    caller: Caller,
    conversationId: string,
    { rawBody }: WakingMessage,
  ): Promise<AppSendMessageResponse | null> {
    if (await this.queue.hasWaiting(conversationId)) return null;
    try {
      return await this.messages.send(caller, conversationId, rawBody);
    } catch (error) {
      // Nothing was sent in that case: the sandbox has been paused meanwhile.
      if (error instanceof SandboxNotRunningError) return null;
      throw error;
    }
  }

  private async queued(
    { userId }: Caller,
    conversation: TargetConversation,
    sandboxId: string,
    { content }: WakingMessage,
  ): Promise<QueuedSendResponse> {
    const queued = await this.waker.wake(sandboxId, async (transaction, status) => {
      const to = { conversationId: conversation.id, userId };
      const receipt = await this.queue.add(transaction, to, content);
      return { ...receipt, sandbox_status: shownSandboxStatus(conversation, { status, stopping: false }) };
    });
    if (queued !== null) return { ...queued, queued: true, state: 'queued', mode: 'steer' };
    running(conversation, await this.sandboxes.byId(sandboxId));
    // Somebody resumed it at the same moment.
    throw new SandboxNotRunningError('STARTING', sandboxId);
  }
}

/** @throws what else a sandbox is, as {@link running}, but for one that does not run */
function isRunningNow(conversation: TargetConversation, sandbox: SandboxView): boolean {
  try {
    running(conversation, sandbox);
    return true;
  } catch (error) {
    if (error instanceof SandboxNotRunningError) return false;
    throw error;
  }
}
