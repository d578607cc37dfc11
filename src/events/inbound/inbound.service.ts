import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { SandboxCaller } from '../../auth';
import { Clock, isRecord, parseUuid } from '../../common';
import { ConversationReports } from '../../conversations';
import { SandboxLifecycle } from '../../sandboxes';
import { rawJsonItems } from '../../validation';
import { ConversationRefresh } from '../state/conversation-refresh';
import { stateOfEvents, stateOfInfo } from '../state/reported-state';
import { EventRepository } from '../storage/event.repository';
import { ForeignConversationError, MalformedCallError } from '../storage/events.errors';
import { InboundConversations } from './inbound-conversations';
import { readEvent, type ReceivedEvent } from '../storage/received-event';

/** Takes the calls of agent servers; what they report is stored when it returns (docs/contract.md#inbound-webhooks). */
@Injectable()
export class InboundService {
  private readonly log = new Logger('Events');

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly admission: InboundConversations,
    private readonly events: EventRepository,
    private readonly conversations: ConversationReports,
    private readonly refresh: ConversationRefresh,
    private readonly lifecycle: SandboxLifecycle,
    private readonly clock: Clock,
  ) {}

  /**
   * @param conversation its id as the path has it
   * @param body the JSON text of an array of events
   * @throws ForeignConversationError, MalformedCallError
   */
  async takeEvents(sandbox: SandboxCaller, conversation: string, body: string): Promise<void> {
    const conversationId = parseUuid(conversation);
    if (conversationId === null) throw new ForeignConversationError();
    const events = this.readAll(body);
    const sandboxId = await this.database.transaction(async (transaction) => {
      const admitted = await this.admission.admit(transaction, sandbox, conversationId);
      const fresh = await this.events.add(transaction, conversationId, events);
      if (fresh.length === 0) return admitted;
      const reported = stateOfEvents(fresh);
      await this.conversations.apply(transaction, conversationId, { ...reported, hasNewEvents: true });
      if (reported.executionStatus !== undefined && reported.executionStatus !== 'running')
        await this.refresh.later(transaction, conversationId);
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

  private readAll(body: string): ReceivedEvent[] {
    const receivedAt = this.clock.now();
    const events = rawJsonItems(body).map((text) => readEvent(text, receivedAt));
    const readable = events.filter((event) => event !== null);
    if (readable.length === events.length) return readable;
    // The agent server would drop all of them.
    if (readable.length === 0) throw new MalformedCallError('No event is an object with an id.');
    this.log.warn(`Skipped ${events.length - readable.length} of ${events.length} events without an id`);
    return readable;
  }

  /** What its agents report is a use of a sandbox: they are at work. */
  private touch(sandboxId: string | null): void {
    if (sandboxId !== null) this.lifecycle.touch(sandboxId);
  }
}
