import { z } from 'zod';
import { type Agent, AgentFailure, type Turn } from './agent';
import type { ConversationRecord } from './conversation-files';
import { fullState, addUsage, NO_STATS, type Stats, statsSchema } from './conversation-views';
import type { EventLog, StoredEvent } from './event-log';
import {
  agentMessageEvent,
  completeEvent,
  conversationErrorEvent,
  type EventDraft,
  interruptEvent,
  pauseEvent,
  stateUpdateEvent,
  systemPromptEvent,
  userMessageEvent,
  plainText,
  socketMessageSchema,
  type UserMessage,
} from './events';

const statusSchema = z.enum(['idle', 'running', 'paused', 'finished', 'error', 'deleting']);
export type ExecutionStatus = z.infer<typeof statusSchema>;

type Subscriber = (event: StoredEvent) => void;

const TITLE_LENGTH = 50;

const messageEventSchema = z.object({ kind: z.literal('MessageEvent'), llm_message: socketMessageSchema });

/** What a conversation needs in addition to its record. */
interface ConversationParts {
  readonly log: EventLog;
  readonly agent: Agent;
  readonly folder: string | null;
  /** Writes the record down. */
  readonly save: (record: ConversationRecord) => void;
}

/**
 * One conversation: its log, its state and its run. The log is the truth: state that changes by running is
 * read back from it, so that a killed process leaves nothing half done but the run itself.
 */
export class Conversation {
  status: ExecutionStatus = 'idle';
  stats: Stats = NO_STATS;
  lastUserMessageId: string | null = null;

  private readonly subscribers = new Set<Subscriber>();
  /** The events that the agent has seen. */
  private readonly turns: Turn[] = [];
  /** The events since it last began to answer. */
  private unseen: Turn[] = [];
  private currentRun: AbortController | null = null;
  private runAgain = false;
  private pauseWanted = false;
  private runEnded: Promise<void> = Promise.resolve();

  constructor(
    readonly record: ConversationRecord,
    private readonly parts: ConversationParts,
  ) {
    for (const event of parts.log.all()) this.recall(event);
    const { last } = parts.log;
    if (last) record.updatedAt = new Date(last.timestamp).toISOString();
  }

  get log(): EventLog {
    return this.parts.log;
  }

  get folder(): string | null {
    return this.parts.folder;
  }

  get subscriberCount(): number {
    return this.subscribers.size;
  }

  /** Ends what the last process of this server left running (it becomes `error`). */
  settleAfterRestart(): void {
    if (this.status === 'running') this.setStatus('error');
  }

  /** Follows the events from now on; the state as it is comes first. @returns what ends it */
  subscribe(subscriber: Subscriber): () => void {
    subscriber(this.stateSnapshot());
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  }

  /** Adds a message of the user; it is in the log when this returns. */
  send(message: UserMessage, run: boolean): void {
    if (message.role !== 'user') throw new Error('Only user messages are allowed to be sent to the agent.');
    if (this.status === 'finished') this.setStatus('idle');
    if (this.log.length === 0) this.append(systemPromptEvent(this.parts.agent.systemPrompt));
    const event = this.append(userMessageEvent(message));
    this.unseen.push({ role: 'user', content: message.content });
    this.lastUserMessageId = event.id;
    this.append(stateUpdateEvent('last_user_message_id', event.id));
    this.titleBy(message);
    if (run && this.run() === 'already_running') this.runAgain = true;
  }

  /** Runs the agent on the conversation; a finished one stays finished. */
  run(): 'started' | 'already_running' {
    if (this.status === 'running') return 'already_running';
    if (this.status === 'finished' || this.status === 'deleting') return 'started';
    this.setStatus('running');
    const abort = new AbortController();
    this.currentRun = abort;
    this.runEnded = this.answer(abort.signal)
      .catch((error: unknown) => {
        process.stderr.write(`The end of a run could not be written: ${String(error)}\n`);
      })
      .finally(() => {
        if (this.currentRun === abort) this.currentRun = null;
      });
    return 'started';
  }

  /** Pauses an idle conversation now, and a running one before its next step. */
  pause(): void {
    if (this.status === 'running') this.pauseWanted = true;
    if (this.status === 'idle') this.becomePaused(pauseEvent());
  }

  /** Stops a run in the middle of its step. */
  async interrupt(): Promise<void> {
    if (this.status !== 'running') return;
    this.currentRun?.abort(new Error('interrupted'));
    this.becomePaused(interruptEvent());
    await this.runEnded;
    this.announce();
  }

  /** Changes what a caller may change of the record. */
  amend(changes: Partial<Pick<ConversationRecord, 'title' | 'tags' | 'secrets'>>): void {
    Object.assign(this.record, changes, { updatedAt: new Date().toISOString() });
    this.parts.save(this.record);
    if (changes.tags) this.append(stateUpdateEvent('tags', changes.tags));
  }

  /** Stops the run for good; nothing is written any more. */
  async end(): Promise<void> {
    this.status = 'deleting';
    this.currentRun?.abort(new Error('deleted'));
    await this.runEnded;
  }

  /** Asks the agent without recording anything. */
  async ask(question: string, signal: AbortSignal): Promise<string> {
    const content = [{ type: 'text' as const, text: question, cache_prompt: false }];
    const turns = [...this.turns, ...this.unseen, { role: 'user' as const, content }];
    return (await this.parts.agent.reply(turns, signal)).text;
  }

  /** The text of the agent's last message, empty when there is none. */
  finalResponse(): string {
    const last = this.turns.findLast(({ role }) => role === 'assistant');
    return last ? plainText(last.content) : '';
  }

  private async answer(signal: AbortSignal): Promise<void> {
    this.pauseWanted = false;
    try {
      do {
        this.runAgain = false;
        await this.step(signal);
      } while (this.nextStep() === 'answer');
      if (this.nextStep() === 'pause') this.becomePaused(pauseEvent());
      else this.setStatus('finished');
      if (this.stats !== NO_STATS) this.append(stateUpdateEvent('stats', this.stats));
    } catch (error) {
      // Whoever aborts a run has already set the status.
      if (signal.aborted) return;
      const failure =
        error instanceof AgentFailure ? error : new AgentFailure('InternalError', String(error), 'internal');
      this.setStatus('error');
      this.append(conversationErrorEvent(failure.code, failure.message, failure.kind));
    }
    this.announce();
  }

  /** The next action after a step: messages that came during it need an answer, unless a pause was requested. */
  private nextStep(): 'answer' | 'pause' | 'end' {
    if (!this.runAgain) return 'end';
    return this.pauseWanted ? 'pause' : 'answer';
  }

  private async step(signal: AbortSignal): Promise<void> {
    this.turns.push(...this.unseen);
    this.unseen = [];
    // Yields, so that `send` returns before the reply is appended.
    await new Promise((resolve) => setImmediate(resolve));
    const reply = await this.parts.agent.reply([...this.turns], signal);
    signal.throwIfAborted();
    const event = this.append(agentMessageEvent(reply.text, reply.responseId));
    this.recallTurn(event, this.turns);
    if (reply.usage) this.stats = addUsage(this.stats, reply.usage, reply.responseId);
  }

  private becomePaused(why: EventDraft): void {
    this.setStatus('paused');
    this.append(why);
  }

  private setStatus(status: ExecutionStatus): void {
    this.status = status;
    this.append(stateUpdateEvent('execution_status', status));
  }

  private append(draft: EventDraft): StoredEvent {
    const event = completeEvent(draft, this.log.last?.id ?? null);
    this.log.append(event);
    this.record.updatedAt = new Date().toISOString();
    this.publish(event);
    return event;
  }

  private announce(): void {
    this.publish(this.stateSnapshot());
  }

  private stateSnapshot(): StoredEvent {
    return completeEvent(stateUpdateEvent('full_state', fullState(this)), null);
  }

  private publish(event: StoredEvent): void {
    for (const subscriber of this.subscribers) subscriber(event);
  }

  private titleBy(message: UserMessage): void {
    if (this.record.title !== null || this.record.request.autotitle === false) return;
    const title = plainText(message.content).trim().slice(0, TITLE_LENGTH);
    if (title !== '') this.amend({ title });
  }

  private recall(event: StoredEvent): void {
    this.recallTurn(event, this.turns);
    if (event.kind !== 'ConversationStateUpdateEvent') return;
    const { key, value } = event;
    if (key === 'execution_status') this.status = statusSchema.parse(value);
    if (key === 'stats') this.stats = statsSchema.parse(value);
    if (key === 'last_user_message_id' && typeof value === 'string') this.lastUserMessageId = value;
  }

  private recallTurn(event: StoredEvent, turns: Turn[]): void {
    const message = messageEventSchema.safeParse(event);
    if (!message.success) return;
    const { role, content } = message.data.llm_message;
    turns.push({ role: role === 'assistant' ? 'assistant' : 'user', content });
  }
}
