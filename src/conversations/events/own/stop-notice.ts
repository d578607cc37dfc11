import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { ConversationReports } from '../../conversations';
import { EventRepository } from '../storage/event.repository';
import { isEventLimit } from '../storage/events.errors';

/** Tells the creator of a conversation that it was stopped, and why, as web interfaces show failures: by one of its events. */
@Injectable()
export class StopNotice {
  private readonly logger = new Logger(StopNotice.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly events: EventRepository,
    private readonly conversations: ConversationReports,
    private readonly clock: Clock,
  ) {}

  /** Stores the event, once for each stop whatever is repeated; none where no more events are stored. */
  @OnDomainEvent('conversation.stopped', { after: 'commit', name: 'conversation-stopped:event' })
  async tell({ conversation_id, ...stop }: DomainEventOf<'conversation.stopped'>): Promise<void> {
    const now = this.clock.now();
    const notice = {
      id: stop.event_id,
      timestamp: now.toISOString(),
      source: 'environment',
      code: 'conversation_stopped',
      detail: `The conversation was stopped by an admin of the organization: ${stop.reason}`,
      user_id: stop.user_id,
      kind: 'ConversationErrorEvent',
    };
    const { id, kind } = notice;
    const event = { id, kind, occurredAt: now, payload: JSON.stringify(notice), content: notice };
    const known = await this.conversations.find(conversation_id);
    if (known === undefined || known.ended) return;
    try {
      await this.database.transaction(async (transaction) => {
        const added = await this.events.add(transaction, conversation_id, [event]);
        if (added.length > 0)
          await this.conversations.apply(transaction, conversation_id, { hasNewEvents: true });
      });
    } catch (error) {
      if (!isEventLimit(error)) throw error;
      this.logger.warn(
        `The stop of conversation ${conversation_id} is not among its events: ${error.message}`,
      );
    }
  }
}
