import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { storableText } from '../common';
import { JobQueue } from '../jobs';
import { deliveryJob } from './delivery-job-name';
import { ClaimLostError, type QueueClaim } from './queue-claim';

const REASON_LENGTH = 1_000;
const NO_MEMBER = 'The sender is no member of the organization any more.';
const OWNED = 'EXISTS (SELECT 1 FROM message_queues q WHERE q.id = $1 AND q.fence = $2)';
const HEAD = `SELECT id, rank, state, role, content, run, mark_event_id FROM pending_messages
               WHERE queue_id = $1 AND state IN ('queued', 'delivering')`;
const FIRST = `ORDER BY state = 'delivering' DESC, rank LIMIT 1`;

/** The message a queue delivers next, or is in doubt about. */
export interface HeadRow {
  readonly id: string;
  readonly rank: string;
  readonly state: 'queued' | 'delivering';
  readonly role: string;
  readonly content: string;
  readonly run: boolean;
  readonly mark_event_id: string | null;
}

/** The first of a queue; when there is none, the rank that was given out last tells whether one came since. */
export type QueueHead = { readonly message: HeadRow } | { readonly message: null; readonly lastRank: string };

/** The queue as a delivery run finds it. */
export interface DeliveryQueueRow {
  /** Why nothing more is delivered: it was closed, or its sender has left the organization. */
  readonly closed_reason: string | null;
  readonly failures: number;
  /** Milliseconds until it may be tried again; null when no time was set. */
  readonly wait_ms: number | null;
  /** The conversation, when it is ready. */
  readonly conversation_id: string | null;
  readonly sandbox_id: string | null;
}

/** Why and for how long a run pauses. */
export interface Rest {
  readonly ms: number;
  /** A message is in doubt: its settling time is not cut short by anything. */
  readonly settling: boolean;
  /** Makes the next pause longer. */
  readonly failed: boolean;
}

type HeadColumns = { [Column in keyof HeadRow]: HeadRow[Column] | null } & { readonly last_rank: string };

/**
 * What a delivery run reads and writes; every write holds only while the queue is the run's. Times are the
 * database's, so that the clocks of replicas may differ.
 */
@Injectable()
export class DeliveryRows {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
  ) {}

  async queue({ queueId }: QueueClaim): Promise<DeliveryQueueRow> {
    const [row] = await this.database.query<DeliveryQueueRow[]>(
      `SELECT coalesce(q.closed_reason, CASE WHEN NOT c.by_member THEN $2 END) AS closed_reason, q.failures,
              ceil(extract(epoch FROM q.next_attempt_at - now()) * 1000)::float8 AS wait_ms,
              CASE WHEN c.is_ready THEN c.id END AS conversation_id, c.sandbox_id
         FROM message_queues q
         LEFT JOIN LATERAL (
           SELECT id, sandbox_id, start_state = 'ready' AND deleted_at IS NULL AS is_ready,
                  EXISTS (SELECT 1 FROM org_members m
                           WHERE m.org_id = v.org_id AND m.user_id = v.created_by_user_id) AS by_member
             FROM conversations v WHERE v.id = q.conversation_id
         ) c ON true
        WHERE q.id = $1`,
      [queueId, NO_MEMBER],
    );
    if (row === undefined) throw new ClaimLostError();
    return row;
  }

  async head({ queueId }: QueueClaim): Promise<QueueHead> {
    const [row] = await this.database.query<HeadColumns[]>(
      `SELECT q.last_rank, h.* FROM message_queues q LEFT JOIN LATERAL (${HEAD} ${FIRST}) h ON true
        WHERE q.id = $1`,
      [queueId],
    );
    if (row === undefined) throw new ClaimLostError();
    return toHead(row);
  }

  /**
   * Notes that a message is about to be sent, and after which event. The time of a next try is forgotten:
   * a run that finds the message after a crash has to begin a settling time of its own.
   * @returns false when it is not to be sent as it was read: cancelled, edited or moved meanwhile
   */
  async marked(claim: QueueClaim, message: HeadRow, markEventId: string | null): Promise<boolean> {
    return this.write(
      claim,
      `WITH untimed AS (UPDATE message_queues SET next_attempt_at = NULL
                         WHERE id = $1 AND fence = $2 AND next_attempt_at IS NOT NULL)
       UPDATE pending_messages
          SET state = 'delivering', attempts = attempts + 1, mark_event_id = $4, sent_at = now(), last_error = NULL
        WHERE id = $3 AND state = 'queued' AND rank = $5 AND content = $6 AND ${OWNED} RETURNING id`,
      [message.id, markEventId, message.rank, message.content],
    );
  }

  /** The agent server has the message. @returns what comes next */
  async delivered(claim: QueueClaim, messageId: string): Promise<QueueHead> {
    const [row] = await this.database.query<(HeadColumns & { readonly noted: boolean })[]>(
      `WITH noted AS (
         UPDATE pending_messages SET state = 'delivered', delivered_at = now(), last_error = NULL
          WHERE id = $3 AND state = 'delivering' AND ${OWNED} RETURNING id
       ), calm AS (
         UPDATE message_queues SET failures = 0, next_attempt_at = NULL
          WHERE id = $1 AND fence = $2 AND (failures > 0 OR next_attempt_at IS NOT NULL)
       )
       SELECT EXISTS (SELECT 1 FROM noted) AS noted, q.last_rank, h.*
         FROM message_queues q LEFT JOIN LATERAL (${HEAD} AND id <> $3 ${FIRST}) h ON true
        WHERE q.id = $1`,
      [claim.queueId, claim.fence, messageId],
    );
    if (row?.noted !== true) throw new ClaimLostError();
    return toHead(row);
  }

  /** The message will never arrive: the agent server will not take it, or nobody can say any more. */
  async failed(claim: QueueClaim, messageId: string, reason: string): Promise<void> {
    await this.writeOwn(
      claim,
      `UPDATE pending_messages SET state = 'failed', last_error = $4
        WHERE id = $3 AND state = 'delivering' AND ${OWNED} RETURNING id`,
      [messageId, shortened(reason)],
    );
  }

  /** The message was surely not taken: it waits again, and may be cancelled. */
  async returned(claim: QueueClaim, messageId: string, reason: string): Promise<void> {
    await this.writeOwn(
      claim,
      `UPDATE pending_messages SET state = 'queued', last_error = $4
        WHERE id = $3 AND state = 'delivering' AND ${OWNED} RETURNING id`,
      [messageId, shortened(reason)],
    );
  }

  /** Tells why a message is not delivered yet; what it is to become stays as it is. */
  async explained(claim: QueueClaim, messageId: string, reason: string): Promise<void> {
    await this.write(
      claim,
      `UPDATE pending_messages SET last_error = $4
        WHERE id = $3 AND state IN ('queued', 'delivering') AND ${OWNED} RETURNING id`,
      [messageId, shortened(reason)],
    );
  }

  /** Contents of the messages whose delivery was noted, after the same mark or after any. */
  async deliveredContents(
    claim: QueueClaim,
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
  async failAll(claim: QueueClaim, reason: string): Promise<void> {
    await this.database.query(
      `UPDATE pending_messages
          SET state = 'failed',
              last_error = CASE state WHEN 'delivering' THEN 'It is not known whether the message arrived. ' ELSE '' END || $3
        WHERE queue_id = $1 AND state IN ('queued', 'delivering') AND ${OWNED}`,
      [claim.queueId, claim.fence, shortened(reason)],
    );
  }

  /**
   * Ends the claim of a run that found nothing left. Who queues a message gives out a rank under the lock of
   * the queue, so that none is left behind.
   * @returns false when something has come meanwhile, and the claim goes on
   */
  async releaseIfDone(claim: QueueClaim, lastRank: string): Promise<boolean> {
    const [released] = await this.database.query<[unknown[], number]>(
      `UPDATE message_queues SET claimed_until = NULL
        WHERE id = $1 AND fence = $2 AND last_rank = $3 AND NOT woken RETURNING id`,
      [claim.queueId, claim.fence, lastRank],
    );
    return released.length > 0 || this.stayed(claim);
  }

  /**
   * Ends the claim; somebody else says when to go on.
   * @returns false when somebody did so meanwhile, and the claim goes on
   */
  async release(claim: QueueClaim): Promise<boolean> {
    const [released] = await this.database.query<[unknown[], number]>(
      `UPDATE message_queues SET claimed_until = NULL WHERE id = $1 AND fence = $2 AND NOT woken RETURNING id`,
      [claim.queueId, claim.fence],
    );
    return released.length > 0 || this.stayed(claim);
  }

  /**
   * Ends the claim, and has another run go on later.
   * @returns false when somebody wanted a run meanwhile: the claim goes on
   */
  async releaseUntil(claim: QueueClaim, { ms, settling, failed }: Rest): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const [rows] = await transaction.query<[{ released: boolean; next_attempt_at: Date | null }[], number]>(
        `UPDATE message_queues
            SET claimed_until = CASE WHEN woken THEN claimed_until END,
                next_attempt_at = CASE WHEN $4 OR NOT woken THEN now() + $3 * interval '1 millisecond' END,
                failures = CASE WHEN woken THEN 0 ELSE failures + $5 END,
                woken = false
          WHERE id = $1 AND fence = $2 RETURNING claimed_until IS NULL AS released, next_attempt_at`,
        [claim.queueId, claim.fence, ms, settling, failed ? 1 : 0],
      );
      const [row] = rows;
      if (row === undefined) throw new ClaimLostError();
      if (row.released && row.next_attempt_at !== null)
        await this.jobs.add(transaction, deliveryJob(claim.queueId, row.next_attempt_at));
      return row.released;
    });
  }

  /** Ends the claim of a run that failed; its job runs again. */
  async giveUp(claim: QueueClaim): Promise<void> {
    await this.database.query(
      'UPDATE message_queues SET claimed_until = NULL, woken = false WHERE id = $1 AND fence = $2',
      [claim.queueId, claim.fence],
    );
  }

  private async stayed(claim: QueueClaim): Promise<false> {
    const [own] = await this.database.query<[unknown[], number]>(
      'UPDATE message_queues SET woken = false WHERE id = $1 AND fence = $2 RETURNING id',
      [claim.queueId, claim.fence],
    );
    if (own.length === 0) throw new ClaimLostError();
    return false;
  }

  private async writeOwn(claim: QueueClaim, sql: string, values: readonly unknown[]): Promise<void> {
    if (!(await this.write(claim, sql, values))) throw new ClaimLostError();
  }

  private async write(claim: QueueClaim, sql: string, values: readonly unknown[]): Promise<boolean> {
    const [rows] = await this.database.query<[unknown[], number]>(sql, [
      claim.queueId,
      claim.fence,
      ...values,
    ]);
    return rows.length > 0;
  }
}

function toHead({ last_rank, ...row }: HeadColumns): QueueHead {
  const { id, rank, state, role, content, run, mark_event_id } = row;
  if (id === null || rank === null || state === null || role === null || content === null || run === null)
    return { message: null, lastRank: last_rank };
  return { message: { id, rank, state, role, content, run, mark_event_id } };
}

function shortened(reason: string): string {
  return storableText(reason.slice(0, REASON_LENGTH));
}
