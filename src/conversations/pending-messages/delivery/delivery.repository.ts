import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { ExhaustedRow } from '../../../agents/budgets';
import { cutText, MEBIBYTE } from '../../../kernel/common';
import { CallsTogether, type SqlRunner } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { JobQueue } from '../../../kernel/jobs';
import { LeaseLostError } from '../../../kernel/leases';
import type { MessageMode } from '../record/message.enums';
import { isCounted, MAX_REASON } from '../record/text-limits';
import { deliveryJob } from '../leases/delivery-job-name';
import {
  DELIVERED_CONTENTS,
  FAIL_ALL,
  GIVE_UP,
  MARK_SENDING,
  type MessageColumns,
  RECORD_DELIVERIES,
  RECORD_DELIVERY,
  RECORD_FAILURE,
  RECORD_REASON,
  type RecordedRow,
  RELEASE,
  RELEASE_UNTIL,
  REQUEUE,
} from './delivery.query';
import { READ_HEAD } from './queue-head.read-model';
import type { QueueLease } from '../leases/queue-leases';

const NO_MEMBER = 'The sender is no member of the organization any more.';
/** Before all messages of a queue. */
const BEGINNING = { rank: '-9223372036854775808', id: '00000000-0000-0000-0000-000000000000' };
/** The messages that are read and compared at once. */
const PAGE_BYTES = 16 * MEBIBYTE;
/** Deliveries that are recorded by one statement. */
const MOST_TOGETHER = 64;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** The message a queue delivers next, or whose outcome is unknown. */
export interface QueueHead {
  readonly id: string;
  readonly rank: string;
  readonly mode: MessageMode;
  readonly role: string;
  readonly content: string;
  readonly run: boolean;
  /** The event that a message whose outcome is unknown was sent after. */
  readonly mark_event_id: string | null;
}

/** The queue and its first message as a delivery run finds them. */
export interface QueueSnapshot {
  /** Why nothing more is delivered: it was closed, or its sender has left the organization. */
  readonly closedReason: string | null;
  /** Milliseconds until it may be tried again; null when no time was set. */
  readonly waitMs: number | null;
  /** The conversation, when it is ready. */
  readonly conversationId: string | null;
  readonly sandboxId: string | null;
  /** A budget without room that the conversation counts in; null where all have some. */
  readonly exhaustedBudget: ExhaustedRow | null;
  /** The last rank assigned: shows whether a message has come since. */
  readonly lastRank: string;
  readonly message: QueueHead | null;
  /** Sent, with an outcome that was never recorded. */
  readonly isOutcomeUnknown: boolean;
}

/** A message that arrived, and the event that the next one is sent after; undefined when none is to be sent yet. */
interface Delivery {
  readonly lease: QueueLease;
  readonly message: QueueHead;
  readonly mark: string | null | undefined;
}

/** What comes after a delivery: a message that is marked already, the end of the lease, or that the queue has to be read again. */
type DeliveryResult =
  | { readonly kind: 'next'; readonly message: QueueHead }
  | { readonly kind: 'done' | 'read again' };

/** Why and for how long a run pauses. */
export interface DeliveryPause {
  /** `back-off`: longer after each failure in a row. */
  readonly ms: number | 'back-off';
  /** The outcome of a message is unknown: its settling time is not cut short by anything. */
  readonly settling: boolean;
}

/**
 * What a delivery run reads and writes; every write takes effect only while the run has the lease. Times are the
 * database's, so that the clocks of replicas may differ.
 */
@Injectable()
export class DeliveryRepository {
  private readonly together = new CallsTogether(
    (deliveries: readonly Delivery[]) => this.recordTogether(deliveries),
    ({ message }) => (isCounted(message.content) ? Infinity : 1 / MOST_TOGETHER),
  );

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
  ) {}

  async readHead({ queueId }: QueueLease): Promise<QueueSnapshot> {
    const [row] = await READ_HEAD.rows(this.database, [queueId, NO_MEMBER]);
    if (row === undefined) throw new LeaseLostError();
    return {
      closedReason: row.closed_reason,
      waitMs: row.wait_ms,
      conversationId: row.conversation_id,
      sandboxId: row.sandbox_id,
      exhaustedBudget: row.exhausted_budget,
      lastRank: row.last_rank,
      message: toHead(row),
      isOutcomeUnknown: row.state === 'delivering',
    };
  }

  /**
   * Records that a message is about to be sent, and after which event. The time of a next try is cleared:
   * a run that finds the message after a crash has to begin a settling time of its own.
   * @returns false when it is not to be sent as it was read: cancelled, edited or moved meanwhile, or in another mode
   */
  async markSending(lease: QueueLease, message: QueueHead, markEventId: string | null): Promise<boolean> {
    const { id, rank, content, mode } = message;
    const values = [lease.queueId, lease.fence, id, markEventId, rank, content, mode];
    return (await MARK_SENDING.rows(this.database, values)).length > 0;
  }

  /**
   * The agent server has the message. In the same statement the next one is marked, or the lease is ended
   * when there is none. Deliveries of several queues are recorded together.
   * @param mark the event that the next message is sent after; undefined when none is to be sent yet
   */
  async recordDelivery(
    lease: QueueLease,
    message: QueueHead,
    mark: string | null | undefined,
  ): Promise<DeliveryResult> {
    const delivery = { lease, message, mark };
    const row = this.events.listensTo('message.delivered')
      ? await this.recordAndPublish(delivery)
      : ((await this.together.take(delivery)) ??
        (await RECORD_DELIVERY.rows(this.database, valuesOf([delivery])))[0]);
    if (row === undefined) throw new LeaseLostError();
    const next = toHead(row);
    if (next !== null) return { kind: 'next', message: next };
    return { kind: row.released ? 'done' : 'read again' };
  }

  /** The message will never arrive: the agent server will not take it, or that can no longer be found out. */
  async recordFailure(lease: QueueLease, messageId: string, reason: string): Promise<void> {
    const values = [lease.queueId, lease.fence, messageId, shortened(reason)];
    if ((await this.fail(RECORD_FAILURE, values)).length === 0) throw new LeaseLostError();
  }

  /**
   * The message was definitely not stored: returns it to `queued`, where it can be cancelled. It fails where the conversation
   * was stopped.
   * @returns whether it is queued
   */
  async requeue(lease: QueueLease, messageId: string, reason: string): Promise<boolean> {
    const values = [lease.queueId, lease.fence, messageId, shortened(reason)];
    const [written] = await this.fail(REQUEUE, values);
    if (written === undefined) throw new LeaseLostError();
    return written.is_queued;
  }

  /** Records why a message is not delivered yet; its state stays as it is. */
  async recordReason(lease: QueueLease, messageId: string, reason: string): Promise<void> {
    await RECORD_REASON.rows(this.database, [lease.queueId, lease.fence, messageId, shortened(reason)]);
  }

  /** Contents of the messages whose delivery was recorded, after the same mark or after any, read some MiB at a time. */
  async *deliveredContents(
    queueId: string,
    after: { readonly mark: string | null } | 'any',
  ): AsyncGenerator<string> {
    const mark = after === 'any' ? [true, null] : [false, after.mark];
    let last: typeof BEGINNING | undefined = BEGINNING;
    while (last !== undefined) {
      const { rank, id }: typeof BEGINNING = last;
      const page = await DELIVERED_CONTENTS.rows(this.database, [queueId, ...mark, rank, id, PAGE_BYTES]);
      for (const { content } of page) yield content;
      last = page.at(-1);
    }
  }

  /** The conversation can never run again: nothing of the queue will be delivered. */
  async failAll(lease: QueueLease, reason: string): Promise<void> {
    await this.fail(FAIL_ALL, [lease.queueId, lease.fence, shortened(reason)]);
  }

  /**
   * Ends the lease: nothing is left, or another job says when to go on.
   * @param lastRank given when the queue was found empty; a message enqueued since has a higher rank and keeps
   *   the lease
   * @returns false when something has come meanwhile, and the lease goes on
   */
  async release(lease: QueueLease, lastRank: string | null): Promise<boolean> {
    const [row] = await RELEASE.rows(this.database, [lease.queueId, lease.fence, lastRank]);
    if (row === undefined) throw new LeaseLostError();
    return row.released;
  }

  /**
   * Ends the lease, and schedules another run for later.
   * @returns false when a run was requested meanwhile: the lease goes on
   */
  async releaseUntil(lease: QueueLease, { ms, settling }: DeliveryPause): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const [row] = await RELEASE_UNTIL.rows(transaction, [
        lease.queueId,
        lease.fence,
        ms === 'back-off' ? null : ms,
        settling,
        FIRST_PAUSE_MS,
        MAX_PAUSE_MS,
      ]);
      if (row === undefined) throw new LeaseLostError();
      if (row.released && row.next_attempt_at !== null)
        await this.jobs.add(transaction, deliveryJob(lease.queueId, row.next_attempt_at));
      return row.released;
    });
  }

  /** Ends the lease of a run that failed or was interrupted, and schedules another. */
  async giveUp(lease: QueueLease, isInterrupted: boolean): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [row] = await GIVE_UP.rows(transaction, [
        lease.queueId,
        lease.fence,
        isInterrupted,
        FIRST_PAUSE_MS,
        MAX_PAUSE_MS,
      ]);
      if (row) await this.jobs.add(transaction, deliveryJob(lease.queueId, row.again_at));
    });
  }

  private async recordTogether(deliveries: readonly Delivery[]): Promise<(RecordedRow | null)[]> {
    const rows = await RECORD_DELIVERIES.rows(this.database, valuesOf(deliveries));
    const byCall = new Map(rows.map((row) => [row.call, row]));
    return deliveries.map((_, n) => byCall.get(n + 1) ?? null);
  }

  private recordAndPublish(delivery: Delivery): Promise<RecordedRow | undefined> {
    return this.database.transaction(async (transaction) => {
      const [row] = await RECORD_DELIVERY.rowsIn(transaction, valuesOf([delivery]));
      if (row !== undefined) await this.events.publishLogged(transaction, 'message.delivered');
      return row;
    });
  }

  /** @returns what was written of messages */
  private async fail<Row extends object>(
    statement: { rows(database: SqlRunner, parameters: readonly unknown[]): Promise<Row[]> },
    values: readonly unknown[],
  ): Promise<Row[]> {
    if (!this.events.listensTo('message.failed')) return statement.rows(this.database, values);
    return this.database.transaction(async (transaction) => {
      const written = await statement.rows(transaction, values);
      if (written.length > 0) await this.events.publishLogged(transaction, 'message.failed');
      return written;
    });
  }
}

function valuesOf(deliveries: readonly Delivery[]): unknown[] {
  return [
    deliveries.map(({ lease }) => lease.queueId),
    deliveries.map(({ lease }) => lease.fence),
    deliveries.map(({ message }) => message.id),
    deliveries.map(({ mark }) => mark ?? null),
    deliveries.map(({ mark }) => mark !== undefined),
  ];
}

function toHead({ mark_event_id, ...columns }: MessageColumns): QueueHead | null {
  const { id, rank, mode, role, content, run } = columns;
  if (id === null || rank === null || mode === null || role === null || content === null || run === null)
    return null;
  return { id, rank, mode, role, content, run, mark_event_id };
}

function shortened(reason: string): string {
  return cutText(reason, MAX_REASON);
}
