import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { SandboxCaller } from '../../../kernel/auth';
import { isRecord, parseUuid } from '../../../kernel/common';
import { ConversationReports } from '../../conversations';
import { SandboxLifecycle } from '../../../sandboxes/sandboxes';
import { ConversationRefresh } from '../state/conversation-refresh';
import { stateOfEvents, stateOfInfo } from '../state/reported-state';
import { EventRepository } from '../storage/event.repository';
import { ForeignConversationError, MalformedCallError } from '../storage/events.errors';
import type { ReceivedEvent } from '../storage/received-event';
import { InboundBatches } from './inbound-batches';
import { InboundConversations } from './inbound-conversations';

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

  /** What its agents report is a use of a sandbox: they are at work. */
  private touch(sandboxId: string | null): void {
    if (sandboxId !== null) this.lifecycle.touch(sandboxId);
  }
}
