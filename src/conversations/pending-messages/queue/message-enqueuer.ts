import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, newId } from '../../../kernel/common';
import { CallsTogether } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { DeliveryRuns } from '../delivery/delivery-runs';
import type { MessageMode } from '../record/message.enums';
import { isCounted } from '../record/text-limits';
import type { PendingMessageResponse } from './pending-messages.dto';
import { MAX_PENDING, MessageInsertion, type NewMessage } from './message-insertion';
import { MessageLimits } from './queue-changes';
import { QUEUE_MESSAGES, type QueuedRow } from './queue.query';
import type { QueueRef } from './queue-ref';
import { QueueLeases } from '../leases/queue-leases';

/** Messages that are queued by one statement. */
const MOST_TOGETHER = 64;

/** A message for the queue of a conversation. */
interface Addition {
  readonly id: string;
  readonly userId: string;
  readonly conversationId: string;
  readonly content: string;
}

/** Where callers' messages get into their queues; those that come at once are queued together. */
@Injectable()
export class MessageEnqueuer {
  private readonly together = new CallsTogether(
    (calls: readonly Addition[]) => this.addTogether(calls),
    ({ content }) => (isCounted(content) ? Infinity : 1 / MOST_TOGETHER),
  );

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
    const call = { id, userId, conversationId, content };
    const row =
      mode !== 'steer' || this.events.listensTo('message.queued')
        ? await this.addAlone(call, mode)
        : ((await this.together.take(call)) ?? (await this.addAlone(call, mode)));
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

  private async addTogether(calls: readonly Addition[]): Promise<(QueuedRow | null)[]> {
    const rows = await QUEUE_MESSAGES.rows(this.database, [
      calls.map(({ id }) => id),
      calls.map(({ userId }) => userId),
      calls.map(({ conversationId }) => conversationId),
      calls.map(({ content }) => content),
      ...this.bounds,
    ]);
    const byCall = new Map(rows.map((row) => [row.call, row]));
    return calls.map((_, n) => byCall.get(n + 1) ?? null);
  }

  private async addAlone(
    { id, userId, conversationId, content }: Addition,
    mode: MessageMode,
  ): Promise<QueuedRow | undefined> {
    const statement = this.insertion.statementFor(mode);
    const values = [id, userId, conversationId, null, null, content, ...this.bounds];
    if (!this.events.listensTo('message.queued')) return (await statement.rows(this.database, values))[0];
    // The one statement has to become a transaction, since the listeners belong to it.
    return this.database.transaction(async (transaction) => {
      const [row] = await statement.rowsIn(transaction, values);
      await this.events.publishLogged(transaction, 'message.queued');
      return row;
    });
  }

  /** The limits of a queue, and how long a lease lasts, as the statements take them. */
  private get bounds(): readonly number[] {
    return [MAX_PENDING, this.leases.lengthMs, ...this.limits.bytes];
  }
}
