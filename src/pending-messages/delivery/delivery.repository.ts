import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { storableText } from '../../common';
import { DomainEvents } from '../../domain-events';
import { JobQueue } from '../../jobs';
import { deliveryJob } from '../leases/delivery-job-name';
import {
  RECORD_DELIVERY,
  READ_HEAD,
  MARK_SENDING,
  type DeliveredColumns,
  type MessageColumns,
} from './delivery-statements';
import { publishMessages } from '../record/message-changes';
import { QueueLeaseLostError, type QueueLease } from '../leases/queue-lease';

const REASON_LENGTH = 1_000;
const NO_MEMBER = 'The sender is no member of the organization any more.';
const OWNED = 'EXISTS (SELECT 1 FROM message_queues q WHERE q.id = $1 AND q.fence = $2)';
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** The message a queue delivers next, or is in doubt about. */
export interface QueueHead {
  readonly id: string;
  readonly rank: string;
  readonly role: string;
  readonly content: string;
  readonly run: boolean;
  /** The event that a message in doubt was sent after. */
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
  /** Given out last: tells whether a message has come since. */
  readonly lastRank: string;
  readonly message: QueueHead | null;
  /** It was sent, and its outcome was never noted. */
  readonly isInDoubt: boolean;
}

/** What comes after a delivery: a message that is marked already, the end of the claim, or another look. */
export type DeliveryResult =
  { readonly kind: 'next'; readonly message: QueueHead } | { readonly kind: 'done' | 'look' };

/** Why and for how long a run pauses. */
export interface DeliveryPause {
  /** `back-off`: longer after each failure in a row. */
  readonly ms: number | 'back-off';
  /** A message is in doubt: its settling time is not cut short by anything. */
  readonly settling: boolean;
}

/**
 * What a delivery run reads and writes; every write holds only while the queue is the run's. Times are the
 * database's, so that the clocks of replicas may differ.
 */
@Injectable()
export class DeliveryRepository {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
  ) {}

  async readHead({ queueId }: QueueLease): Promise<QueueSnapshot> {
    const [row] = await READ_HEAD.rows(this.database, [queueId, NO_MEMBER]);
    if (row === undefined) throw new QueueLeaseLostError();
    return {
      closedReason: row.closed_reason,
      waitMs: row.wait_ms,
      conversationId: row.conversation_id,
      sandboxId: row.sandbox_id,
      lastRank: row.last_rank,
      message: toHead(row),
      isInDoubt: row.state === 'delivering',
    };
  }

  /**
   * Notes that a message is about to be sent, and after which event. The time of a next try is forgotten:
   * a run that finds the message after a crash has to begin a settling time of its own.
   * @returns false when it is not to be sent as it was read: cancelled, edited or moved meanwhile
   */
  async markSending(claim: QueueLease, message: QueueHead, markEventId: string | null): Promise<boolean> {
    const { id, rank, content } = message;
    const values = [claim.queueId, claim.fence, id, markEventId, rank, content];
    return (await MARK_SENDING.rows(this.database, values)).length > 0;
  }

  /**
   * The agent server has the message. In the same statement the next one is marked, or the claim is ended
   * when there is none.
   * @param mark the event that the next message is sent after; undefined when none is to be sent yet
   */
  async recordDelivery(
    claim: QueueLease,
    messageId: string,
    mark: string | null | undefined,
  ): Promise<DeliveryResult> {
    const values = [claim.queueId, claim.fence, messageId, mark ?? null, mark !== undefined];
    const [row] = this.events.listensTo('message.delivered')
      ? await this.recordAndPublish(messageId, values)
      : await RECORD_DELIVERY.rows(this.database, values);
    if (row?.noted !== true) throw new QueueLeaseLostError();
    const message = toHead(row);
    if (message !== null) return { kind: 'next', message };
    return { kind: row.released ? 'done' : 'look' };
  }

  /** The message will never arrive: the agent server will not take it, or nobody can say any more. */
  async recordFailure(claim: QueueLease, messageId: string, reason: string): Promise<void> {
    const failed = await this.fail(
      `UPDATE pending_messages SET state = 'failed', last_error = $4
        WHERE id = $3 AND state = 'delivering' AND ${OWNED} RETURNING id`,
      [claim.queueId, claim.fence, messageId, shortened(reason)],
    );
    if (failed === 0) throw new QueueLeaseLostError();
  }

  /** The message was surely not taken: it waits again, and may be cancelled. */
  async requeue(claim: QueueLease, messageId: string, reason: string): Promise<void> {
    await this.writeOwn(
      claim,
      `UPDATE pending_messages SET state = 'queued', last_error = $4
        WHERE id = $3 AND state = 'delivering' AND ${OWNED} RETURNING id`,
      [messageId, shortened(reason)],
    );
  }

  /** Tells why a message is not delivered yet; what it is to become stays as it is. */
  async recordReason(claim: QueueLease, messageId: string, reason: string): Promise<void> {
    await this.write(
      claim,
      `UPDATE pending_messages SET last_error = $4
        WHERE id = $3 AND state IN ('queued', 'delivering') AND ${OWNED} RETURNING id`,
      [messageId, shortened(reason)],
    );
  }

  /** Contents of the messages whose delivery was noted, after the same mark or after any. */
  async deliveredContents(
    claim: QueueLease,
    after: { readonly mark: string | null } | 'any',
  ): Promise<string[]> {
    const rows = await this.database.query<{ content: string }[]>(
      `SELECT content FROM pending_messages
        WHERE queue_id = $1 AND state = 'delivered' AND ($2 OR mark_event_id IS NOT DISTINCT FROM $3)`,
      [claim.queueId, after === 'any', after === 'any' ? null : after.mark],
    );
    return rows.map(({ content }) => content);
  }

  /** The conversation can never run again: nothing of the queue will be delivered. */
  async failAll(claim: QueueLease, reason: string): Promise<void> {
    await this.fail(
      `UPDATE pending_messages
          SET state = 'failed',
              last_error = CASE state WHEN 'delivering' THEN 'It is not known whether the message arrived. ' ELSE '' END || $3
        WHERE queue_id = $1 AND state IN ('queued', 'delivering') AND ${OWNED} RETURNING id`,
      [claim.queueId, claim.fence, shortened(reason)],
    );
  }

  /**
   * Ends the claim: nothing is left, or somebody else says when to go on.
   * @param lastRank given when nothing was found. Who queues a message gives out a rank under the lock of the
   *   queue, so that none is left behind; and without a message there is nothing to try again
   * @returns false when something has come meanwhile, and the claim goes on
   */
  async release(claim: QueueLease, lastRank: string | null): Promise<boolean> {
    const [[row]] = await this.database.query<[{ released: boolean }[], number]>(
      `UPDATE message_queues
          SET claimed_until = CASE WHEN woken OR last_rank <> $3 THEN claimed_until END,
              next_attempt_at = CASE WHEN woken OR last_rank <> $3 OR $3::bigint IS NULL THEN next_attempt_at END,
              woken = false
        WHERE id = $1 AND fence = $2 RETURNING claimed_until IS NULL AS released`,
      [claim.queueId, claim.fence, lastRank],
    );
    if (row === undefined) throw new QueueLeaseLostError();
    return row.released;
  }

  /**
   * Ends the claim, and has another run go on later.
   * @returns false when somebody wanted a run meanwhile: the claim goes on
   */
  async releaseUntil(claim: QueueLease, { ms, settling }: DeliveryPause): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const [rows] = await transaction.query<[{ released: boolean; next_attempt_at: Date | null }[], number]>(
        `UPDATE message_queues
            SET claimed_until = CASE WHEN woken THEN claimed_until END,
                next_attempt_at = CASE WHEN $4 OR NOT woken THEN
                  now() + coalesce($3, least($5 * 2 ^ least(failures, 20), $6)) * interval '1 millisecond' END,
                failures = CASE WHEN woken THEN 0 WHEN $3 IS NULL THEN failures + 1 ELSE failures END,
                woken = false
          WHERE id = $1 AND fence = $2 RETURNING claimed_until IS NULL AS released, next_attempt_at`,
        [
          ...[claim.queueId, claim.fence, ms === 'back-off' ? null : ms, settling],
          ...[FIRST_PAUSE_MS, MAX_PAUSE_MS],
        ],
      );
      const [row] = rows;
      if (row === undefined) throw new QueueLeaseLostError();
      if (row.released && row.next_attempt_at !== null)
        await this.jobs.add(transaction, deliveryJob(claim.queueId, row.next_attempt_at));
      return row.released;
    });
  }

  /** Ends the claim of a run that failed or was interrupted, and has another one try. */
  async giveUp(claim: QueueLease, isInterrupted: boolean): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [rows] = await transaction.query<[{ again_at: Date }[], number]>(
        `UPDATE message_queues
            SET claimed_until = NULL, woken = false, failures = CASE WHEN $3 THEN failures ELSE failures + 1 END
          WHERE id = $1 AND fence = $2
          RETURNING now() + CASE WHEN $3 THEN 0 ELSE least($4 * 2 ^ least(failures - 1, 20), $5) END
                    * interval '1 millisecond' AS again_at`,
        [claim.queueId, claim.fence, isInterrupted, FIRST_PAUSE_MS, MAX_PAUSE_MS],
      );
      if (rows[0]) await this.jobs.add(transaction, deliveryJob(claim.queueId, rows[0].again_at));
    });
  }

  private recordAndPublish(messageId: string, values: readonly unknown[]): Promise<DeliveredColumns[]> {
    return this.database.transaction(async (transaction) => {
      const rows = await RECORD_DELIVERY.rowsIn(transaction, values);
      if (rows[0]?.noted === true)
        await publishMessages(this.events, transaction, 'message.delivered', [messageId]);
      return rows;
    });
  }

  /** Runs an update that fails messages and returns their ids. @returns how many they were */
  private async fail(sql: string, values: readonly unknown[]): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const [failed] = await transaction.query<[{ id: string }[], number]>(sql, [...values]);
      await publishMessages(
        this.events,
        transaction,
        'message.failed',
        failed.map(({ id }) => id),
      );
      return failed.length;
    });
  }

  private async writeOwn(claim: QueueLease, sql: string, values: readonly unknown[]): Promise<void> {
    if (!(await this.write(claim, sql, values))) throw new QueueLeaseLostError();
  }

  private async write(claim: QueueLease, sql: string, values: readonly unknown[]): Promise<boolean> {
    const [rows] = await this.database.query<[unknown[], number]>(sql, [
      claim.queueId,
      claim.fence,
      ...values,
    ]);
    return rows.length > 0;
  }
}

function toHead({ id, rank, role, content, run, mark_event_id }: MessageColumns): QueueHead | null {
  if (id === null || rank === null || role === null || content === null || run === null) return null;
  return { id, rank, role, content, run, mark_event_id };
}

function shortened(reason: string): string {
  return storableText(reason.slice(0, REASON_LENGTH));
}
