import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, newId } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { DeliveryRuns } from '../delivery/delivery-runs';
import type { PendingMessageResponse } from './pending-messages.dto';
import { MAX_PENDING, MessageInsertion, type NewMessage } from './message-insertion';
import { MessageLimits } from './queue-changes';
import type { QUEUE_MESSAGE, QueuedRow } from './queue.query';
import type { QueueRef } from './queue-ref';
import { QueueLeases } from '../leases/queue-leases';

/** Where callers' messages get into their queues. */
@Injectable()
export class MessageEnqueuer {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly insertion: MessageInsertion,
    private readonly leases: QueueLeases,
    private readonly runs: DeliveryRuns,
    private readonly clock: Clock,
    private readonly events: DomainEvents,
    private readonly limits: MessageLimits,
  ) {}

  /** Whether this process may deliver what it queues, without a job. */
  get deliversHere(): boolean {
    return this.runs.hasRoom;
  }

  /**
   * Queues a message and, when nobody else delivers from the queue, begins to deliver from it.
   * @throws QueueNotFoundError, QueueClosedError, QueueFullError, and those of {@link MessageLimits}
   */
  async addAndDeliver(
    userId: string,
    conversationId: string,
    { content, mode }: NewMessage,
  ): Promise<PendingMessageResponse> {
    const askedAt = this.clock.monotonicMs();
    const id = newId();
    const values = [
      id,
      userId,
      conversationId,
      null,
      null,
      content,
      MAX_PENDING,
      this.leases.lengthMs,
      ...this.limits.bytes,
    ];
    const statement = this.insertion.statementFor(mode);
    const row = this.events.listensTo('message.queued')
      ? await this.addAndPublish(statement, values)
      : (await statement.rows(this.database, values))[0];
    const { queueId, position } = this.insertion.accepted(row);
    if (row?.new_fence)
      void this.runs.begin(this.leases.granted(queueId, Number(row.new_fence), askedAt, row.orphaned_ms));
    return { id, queued: true, position };
  }

  /** As {@link MessageInsertion.insert}, into the queue of a ref. */
  async add(transaction: EntityManager, ref: QueueRef, message: NewMessage): Promise<PendingMessageResponse> {
    const { userId } = ref;
    const target =
      ref.kind === 'conversation'
        ? { userId, conversationId: ref.conversationId, early: null }
        : { userId, conversationId: null, early: ref };
    const { id, position } = await this.insertion.insert(transaction, target, message);
    return { id, queued: true, position };
  }

  /** The one statement has to become a transaction, since the listeners belong to it. */
  private addAndPublish(
    statement: typeof QUEUE_MESSAGE,
    values: readonly unknown[],
  ): Promise<QueuedRow | undefined> {
    return this.database.transaction(async (transaction) => {
      const [row] = await statement.rowsIn(transaction, values);
      await this.events.publishLogged(transaction, 'message.queued');
      return row;
    });
  }
}
