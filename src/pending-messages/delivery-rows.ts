import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { storableText } from '../common';
import { JobQueue } from '../jobs';
import { deliveryJob } from './delivery-job-name';
import { ClaimLostError, type QueueClaim } from './queue-claim';

const REASON_LENGTH = 1_000;
const OWNED = 'EXISTS (SELECT 1 FROM message_queues q WHERE q.id = $1 AND q.fence = $2)';

/** The message a queue delivers next, or is in doubt about. */
export interface HeadRow {
  readonly id: string;
  readonly state: 'queued' | 'delivering';
  readonly role: string;
  readonly content: string;
  readonly run: boolean;
  readonly mark_event_id: string | null;
}

/** The queue as a delivery run finds it. */
export interface DeliveryQueueRow {
  readonly conversation_id: string | null;
  readonly closed_reason: string | null;
  readonly next_attempt_at: Date | null;
  readonly failures: number;
}

/** What a delivery run reads and writes; every write holds only while the queue is the run's. */
@Injectable()
export class DeliveryRows {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
  ) {}

  async queue({ queueId }: QueueClaim): Promise<DeliveryQueueRow | undefined> {
    const [row] = await this.database.query<DeliveryQueueRow[]>(
      'SELECT conversation_id, closed_reason, next_attempt_at, failures FROM message_queues WHERE id = $1',
      [queueId],
    );
    return row;
  }

  async head({ queueId }: QueueClaim): Promise<HeadRow | undefined> {
    const [row] = await this.database.query<HeadRow[]>(
      `SELECT id, state, role, content, run, mark_event_id FROM pending_messages
        WHERE queue_id = $1 AND state IN ('queued', 'delivering')
        ORDER BY state = 'delivering' DESC, rank LIMIT 1`,
      [queueId],
    );
    return row;
  }

  /**
   * Notes that a message is about to be sent, and after which event.
   * @param from a cancelled message is no longer queued: it is not sent
   * @returns false when it is not to be sent
   */
  marked(claim: QueueClaim, message: HeadRow, markEventId: string | null): Promise<boolean> {
    return this.write(
      claim,
      `UPDATE pending_messages
          SET state = 'delivering', attempts = attempts + 1, mark_event_id = $4, sent_at = now(), last_error = NULL
        WHERE id = $3 AND state = $5 AND content = $6 AND ${OWNED} RETURNING id`,
      [message.id, markEventId, message.state, message.content],
    );
  }

  /** The agent server has the message. */
  async delivered(claim: QueueClaim, messageId: string): Promise<void> {
    await this.writeOwn(
      claim,
      `WITH done AS (UPDATE message_queues SET failures = 0, next_attempt_at = NULL
                      WHERE id = $1 AND (failures > 0 OR next_attempt_at IS NOT NULL))
       UPDATE pending_messages SET state = 'delivered', delivered_at = now(), last_error = NULL
        WHERE id = $3 AND state = 'delivering' AND ${OWNED} RETURNING id`,
      [messageId],
    );
  }

  /** The agent server will never take the message. */
  async refused(claim: QueueClaim, messageId: string, reason: string): Promise<void> {
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
        WHERE id = $3 AND state IN ('queued', 'delivering') AND ${OWNED} RETURNING id`,
      [messageId, shortened(reason)],
    );
  }

  /** It is not known whether the message was taken; it stays claimed until that is found out. */
  async inDoubt(claim: QueueClaim, messageId: string, reason: string): Promise<void> {
    await this.writeOwn(
      claim,
      `UPDATE pending_messages SET last_error = $4
        WHERE id = $3 AND state = 'delivering' AND ${OWNED} RETURNING id`,
      [messageId, shortened(reason)],
    );
  }

  /** Contents of the messages whose delivery was noted after the same mark. */
  async deliveredAfterMark(claim: QueueClaim, markEventId: string | null): Promise<string[]> {
    const rows = await this.database.query<{ content: string }[]>(
      `SELECT content FROM pending_messages
        WHERE queue_id = $1 AND state = 'delivered' AND mark_event_id IS NOT DISTINCT FROM $2`,
      [claim.queueId, markEventId],
    );
    return rows.map(({ content }) => content);
  }

  /** Contents of all messages of the queue whose delivery was noted. */
  async allDelivered(claim: QueueClaim): Promise<string[]> {
    const rows = await this.database.query<{ content: string }[]>(
      `SELECT content FROM pending_messages WHERE queue_id = $1 AND state = 'delivered'`,
      [claim.queueId],
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
   * Ends the claim when nothing is left to deliver. Decided under the lock that who queues a message takes,
   * so that no message is left behind.
   * @returns false when there is something to deliver, and the claim goes on
   */
  releaseIfDone(claim: QueueClaim): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await transaction.query('SELECT 1 FROM message_queues WHERE id = $1 FOR UPDATE', [claim.queueId]);
      const left = await transaction.query<unknown[]>(
        `SELECT 1 FROM pending_messages WHERE queue_id = $1 AND state IN ('queued', 'delivering') LIMIT 1`,
        [claim.queueId],
      );
      if (left.length > 0) return false;
      await transaction.query('UPDATE message_queues SET claimed_until = NULL WHERE id = $1 AND fence = $2', [
        claim.queueId,
        claim.fence,
      ]);
      return true;
    });
  }

  /** Ends the claim; somebody else says when to go on. */
  async release(claim: QueueClaim): Promise<void> {
    await this.database.query('UPDATE message_queues SET claimed_until = NULL WHERE id = $1 AND fence = $2', [
      claim.queueId,
      claim.fence,
    ]);
  }

  /** Ends the claim, and has another run go on later. @param countsAsFailure lengthens the next pause */
  async releaseUntil(claim: QueueClaim, at: Date, countsAsFailure: boolean): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [own] = await transaction.query<[unknown[], number]>(
        `UPDATE message_queues
            SET claimed_until = NULL, next_attempt_at = $3, failures = failures + $4
          WHERE id = $1 AND fence = $2 RETURNING id`,
        [claim.queueId, claim.fence, at, countsAsFailure ? 1 : 0],
      );
      if (own.length > 0) await this.jobs.add(transaction, deliveryJob(claim.queueId, at));
    });
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

function shortened(reason: string): string {
  return storableText(reason.slice(0, REASON_LENGTH));
}
