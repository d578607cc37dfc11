import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, newId } from '../../common';
import { DomainEvents } from '../../domain-events';
import { JobQueue } from '../../jobs';
import { publishMessages } from '../record/message-changes';
import { deliveryJob } from '../leases/delivery-job-name';
import { DeliveryRuns } from '../delivery/delivery-runs';
import type { PendingMessageResponse } from './pending-messages.dto';
import { QueueClosedError, QueueFullError, QueueNotFoundError } from './pending-messages.errors';
import { MessageLimits } from './message-limits';
import { QUEUE_MESSAGE, type QueuedRow } from './queue.query';
import type { QueueRef } from './queue-ref';
import { QueueLeases } from '../leases/queue-leases';

/** Undelivered messages of one conversation (docs/contract.md#queue-limit). */
const MAX_PENDING = 10;

/** Where messages get into their queues. */
@Injectable()
export class MessageEnqueuer {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
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
    content: string,
  ): Promise<PendingMessageResponse> {
    const askedAt = this.clock.monotonicMs();
    const id = newId();
    const values = [
      ...[id, userId, conversationId, null, null, content, MAX_PENDING, this.leases.lengthMs],
      ...this.limits.bytes,
    ];
    const row = this.events.listensTo('message.queued')
      ? await this.addAndPublish(id, values)
      : (await QUEUE_MESSAGE.rows(this.database, values))[0];
    const { queueId, position } = this.accepted(row);
    if (row?.new_fence)
      void this.runs.begin(this.leases.begin(queueId, Number(row.new_fence), askedAt, row.orphaned_ms));
    return { id, queued: true, position };
  }

  /**
   * Queues a message, with a job that delivers it when nobody else delivers from the queue.
   * @throws QueueNotFoundError, QueueClosedError, QueueFullError, and those of {@link MessageLimits}
   */
  async add(
    transaction: EntityManager,
    userId: string,
    ref: QueueRef,
    content: string,
  ): Promise<PendingMessageResponse> {
    const id = newId();
    const [row] = await QUEUE_MESSAGE.rowsIn(transaction, [
      ...[id, userId],
      ...(ref.kind === 'conversation' ? [ref.conversationId, null, null] : [null, ref.key, ref.orgId]),
      ...[content, MAX_PENDING, null],
      ...this.limits.bytes,
    ]);
    const { queueId, position } = this.accepted(row);
    await publishMessages(this.events, transaction, 'message.queued', [id]);
    if (row?.needs_run) await this.jobs.add(transaction, deliveryJob(queueId));
    return { id, queued: true, position };
  }

  /** The one statement has to become a transaction, since the event commits with the message. */
  private addAndPublish(id: string, values: readonly unknown[]): Promise<QueuedRow | undefined> {
    return this.database.transaction(async (transaction) => {
      const [row] = await QUEUE_MESSAGE.rowsIn(transaction, values);
      await publishMessages(this.events, transaction, 'message.queued', [id]);
      return row;
    });
  }

  private accepted(row: QueuedRow | undefined): { readonly queueId: string; readonly position: number } {
    if (!row?.to_queue) throw new QueueNotFoundError();
    if (row.refusal !== null) throw new QueueClosedError(row.refusal);
    if (row.exceeded !== null) throw this.limits.error(row.exceeded);
    if (row.place === null) throw new QueueFullError(MAX_PENDING);
    return { queueId: row.to_queue, position: Number(row.place) };
  }
}
