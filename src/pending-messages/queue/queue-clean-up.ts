import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import { JobHandlers, JobQueue } from '../../jobs';
import { deliveryJob } from '../leases/delivery-job-name';
import { publishMessages } from '../record/message-changes';

const EVERY_SECONDS = 60;
const KEEP_DONE = '7 days';
const EARLY_LIFE = '24 hours';
const EXPIRED = 'No conversation with this id was started within 24 hours.';
const FORGOTTEN_FOR = '60 seconds';

/** Ends early queues in time, forgets what is done, and sees to it that no queue is left alone. */
@Injectable()
export class QueueCleanUp {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
    handlers: JobHandlers,
  ) {
    handlers.every('queue-clean-up', EVERY_SECONDS, async () => {
      await this.endEarly();
      await this.forget();
      await this.takeUp();
    });
  }

  /** Messages for a conversation that nobody starts fail after 24 hours (docs/contract.md#queue-ids). */
  private async endEarly(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [failed] = await transaction.query<[{ id: string }[], number]>(
        `WITH closed AS (
           UPDATE message_queues SET closed_reason = $2
            WHERE early_key IS NOT NULL AND closed_reason IS NULL AND created_at < now() - $1::interval
            RETURNING id
         )
         UPDATE pending_messages m SET state = 'failed', last_error = $2
           FROM closed WHERE m.queue_id = closed.id AND m.state = 'queued' RETURNING m.id`,
        [EARLY_LIFE, EXPIRED],
      );
      await publishMessages(
        this.events,
        transaction,
        'message.failed',
        failed.map(({ id }) => id),
      );
    });
  }

  /** Delivered messages of a queue in doubt stay: they account for what its log holds. */
  private async forget(): Promise<void> {
    await this.database.query(
      `DELETE FROM pending_messages m
        WHERE state IN ('delivered', 'failed', 'cancelled')
          AND coalesce(delivered_at, created_at) < now() - $1::interval
          AND NOT EXISTS (SELECT 1 FROM pending_messages d
                           WHERE d.queue_id = m.queue_id AND d.state = 'delivering')`,
      [KEEP_DONE],
    );
    await this.database.query(
      `DELETE FROM message_queues q
        WHERE early_key IS NOT NULL AND closed_reason IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM pending_messages m WHERE m.queue_id = q.id)`,
    );
  }

  /** Whatever may have been lost: a queue that could be delivered from gets a run. */
  private async takeUp(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const queues = await transaction.query<{ id: string }[]>(
        `SELECT q.id FROM message_queues q JOIN conversations c ON c.id = q.conversation_id
          WHERE c.start_state = 'ready' AND c.deleted_at IS NULL
            AND coalesce(greatest(q.claimed_until, q.next_attempt_at), '-infinity') < now() - $1::interval
            AND EXISTS (SELECT 1 FROM pending_messages m
                         WHERE m.queue_id = q.id AND m.state IN ('queued', 'delivering')
                           AND m.created_at < now() - $1::interval)
            AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs j WHERE j.key = 'deliver:' || q.id
                               AND j.attempts < j.max_attempts)
          LIMIT 1000`,
        [FORGOTTEN_FOR],
      );
      await this.jobs.addAll(
        transaction,
        queues.map(({ id }) => deliveryJob(id)),
      );
    });
  }
}
