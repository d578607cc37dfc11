import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ConversationQueue } from '../conversations';
import { JobHandlers, JobQueue } from '../jobs';
import { SandboxObservers } from '../sandboxes';
import { deliveryJob } from './delivery-job-name';

const EVERY_SECONDS = 60;
const KEEP_DONE = '7 days';
const EARLY_LIFE = '24 hours';

/** Goes on with queues when their sandbox runs again, closes those that never will, and tidies up. */
@Injectable()
export class WakeUps {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly queues: ConversationQueue,
    handlers: JobHandlers,
    observers: SandboxObservers,
  ) {
    observers.register(async (transaction, { sandboxId, status }) => {
      if (status === 'RUNNING') await this.wake(transaction, sandboxId);
      if (status === 'MISSING') await this.close(transaction, sandboxId);
    });
    handlers.every('queue-clean-up', EVERY_SECONDS, () => this.cleanUp());
  }

  /** A message in doubt keeps its settling time; everything else need not wait any longer. */
  private async wake(transaction: EntityManager, sandboxId: string): Promise<void> {
    const [queues] = await transaction.query<[{ id: string }[], number]>(
      `UPDATE message_queues q
          SET failures = 0,
              next_attempt_at = CASE WHEN EXISTS (SELECT 1 FROM pending_messages m
                                                   WHERE m.queue_id = q.id AND m.state = 'delivering')
                                     THEN q.next_attempt_at END
         FROM conversations c
        WHERE c.id = q.conversation_id AND c.sandbox_id = $1 AND c.deleted_at IS NULL
          AND EXISTS (SELECT 1 FROM pending_messages m
                       WHERE m.queue_id = q.id AND m.state IN ('queued', 'delivering'))
        RETURNING q.id`,
      [sandboxId],
    );
    for (const { id } of queues) await this.jobs.add(transaction, deliveryJob(id));
  }

  private async close(transaction: EntityManager, sandboxId: string): Promise<void> {
    const conversations = await transaction.query<{ id: string }[]>(
      'SELECT id FROM conversations WHERE sandbox_id = $1',
      [sandboxId],
    );
    for (const { id } of conversations)
      await this.queues.closed(transaction, id, 'The sandbox of the conversation is gone.');
  }

  private async cleanUp(): Promise<void> {
    await this.database.query(
      `DELETE FROM pending_messages
        WHERE state IN ('delivered', 'failed', 'cancelled')
          AND coalesce(delivered_at, created_at) < now() - $1::interval`,
      [KEEP_DONE],
    );
    await this.database.query(
      `WITH closed AS (
         UPDATE message_queues SET closed_reason = 'No conversation with this id was started within 24 hours.'
          WHERE early_key IS NOT NULL AND closed_reason IS NULL AND created_at < now() - $1::interval
          RETURNING id, closed_reason
       )
       UPDATE pending_messages m SET state = 'failed', last_error = closed.closed_reason
         FROM closed WHERE m.queue_id = closed.id AND m.state = 'queued'`,
      [EARLY_LIFE],
    );
  }
}
