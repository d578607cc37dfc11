import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { SandboxCaller } from '../../auth';
import { Clock, parseUuid } from '../../common';
import { SandboxLifecycle } from '../../sandboxes';
import { rawJsonItems } from '../../validation';
import { ConversationRefresh } from '../state/conversation-refresh';
import { ConversationState, stateOfEvents, stateOfInfo } from '../state/conversation-state';
import { EventStore } from '../storage/event-store';
import { ForeignConversationError, MalformedCallError } from '../storage/events.errors';
import { InboundConversations } from './inbound-conversations';
import { isRecord, readEvent, type ReceivedEvent } from '../storage/received-event';

/** Takes what agent servers tell; when it returns, it is stored (docs/contract.md#inbound-webhooks). */
@Injectable()
export class InboundService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: InboundConversations,
    private readonly events: EventStore,
    private readonly state: ConversationState,
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
    await this.database.transaction(async (transaction) => {
      await this.conversations.claim(transaction, sandbox, conversationId);
      const fresh = await this.events.add(transaction, conversationId, events);
      if (fresh.length === 0) return;
      const told = stateOfEvents(fresh);
      await this.state.apply(transaction, conversationId, told);
      if (told.executionStatus !== undefined && told.executionStatus !== 'running')
        await this.refresh.later(transaction, conversationId);
    });
    this.touch(sandbox);
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
    await this.database.transaction(async (transaction) => {
      await this.conversations.claim(transaction, sandbox, conversationId);
      await this.state.apply(transaction, conversationId, stateOfInfo(info));
    });
    this.touch(sandbox);
  }

  private readAll(body: string): ReceivedEvent[] {
    const receivedAt = this.clock.now();
    const events = rawJsonItems(body).map((text) => readEvent(text, receivedAt));
    const readable = events.filter((event) => event !== null);
    if (readable.length < events.length)
      throw new MalformedCallError('Every event must be an object with an id.');
    return readable;
  }

  private touch({ sandboxId }: SandboxCaller): void {
    if (sandboxId !== null) this.lifecycle.touch(sandboxId);
  }
}
