import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { ConversationReports } from '../../conversations';
import { EventRepository } from '../storage/event.repository';
import { isEventLimit } from '../storage/events.errors';

/** What of a notice says why. */
interface Notice {
  readonly code: string;
  readonly detail: string;
  /** Who stopped it, where somebody did. */
  readonly user_id?: string;
}

/**
 * Tells the creator of a conversation that it was stopped, or its agent interrupted, and why, as web interfaces show failures: by
 * one of its events.
 */
@Injectable()
export class StopNotice {
  private readonly logger = new Logger(StopNotice.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly events: EventRepository,
    private readonly conversations: ConversationReports,
    private readonly clock: Clock,
  ) {}

  @OnDomainEvent('conversation.stopped', { after: 'commit', name: 'conversation-stopped:event' })
  async tellStop({
    conversation_id,
    event_id,
    reason,
    user_id,
  }: DomainEventOf<'conversation.stopped'>): Promise<void> {
    const detail = `The conversation was stopped by an admin of the organization: ${reason}`;
    await this.tell(conversation_id, event_id, { code: 'conversation_stopped', detail, user_id });
  }

  @OnDomainEvent('conversation.interrupted', { after: 'commit', name: 'conversation-interrupted:event' })
  async tellInterruption({
    conversation_id,
    event_id,
    reason,
  }: DomainEventOf<'conversation.interrupted'>): Promise<void> {
    const detail = `The agent was interrupted: ${reason}`;
    await this.tell(conversation_id, event_id, { code: 'budget_exhausted', detail });
  }

  /** Stores the event, once for each stop whatever is repeated; none where no more events are stored. */
  private async tell(conversationId: string, eventId: string, why: Notice): Promise<void> {
    const now = this.clock.now();
    const notice = {
      id: eventId,
      timestamp: now.toISOString(),
      source: 'environment',
      ...why,
      kind: 'ConversationErrorEvent',
    };
    const { id, kind } = notice;
    const event = { id, kind, occurredAt: now, payload: JSON.stringify(notice), content: notice };
    const known = await this.conversations.find(conversationId);
    if (known === undefined || known.ended) return;
    try {
      await this.database.transaction(async (transaction) => {
        const added = await this.events.add(transaction, conversationId, [event]);
        if (added.length > 0)
          await this.conversations.apply(transaction, conversationId, { hasNewEvents: true });
      });
    } catch (error) {
      if (!isEventLimit(error)) throw error;
      this.logger.warn(
        `The stop of conversation ${conversationId} is not among its events: ${error.message}`,
      );
    }
  }
}
