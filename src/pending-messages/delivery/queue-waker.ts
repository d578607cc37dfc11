import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ConversationQueue } from '../../conversations';
import { type DomainEventOf, OnDomainEvent } from '../../domain-events';
import { JobQueue } from '../../jobs';
import { wakeJob } from '../leases/delivery-job-name';

/** Goes on with queues when their sandbox runs again, and closes those that never will. */
@Injectable()
export class QueueWaker {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly queues: ConversationQueue,
  ) {}

  @OnDomainEvent('sandbox.status_changed')
  async followSandbox(
    { sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (status === 'RUNNING') await this.wake(transaction, sandbox_id);
    if (status === 'MISSING') await this.close(transaction, sandbox_id);
  }

  /**
   * A message in doubt keeps its settling time; everything else need not wait any longer. Empty queues are
   * locked too: who queues a message in this moment waits, and then finds the sandbox running.
   */
  private async wake(transaction: EntityManager, sandboxId: string): Promise<void> {
    const locked = await transaction.query<{ id: string }[]>(
      `SELECT q.id FROM message_queues q JOIN conversations c ON c.id = q.conversation_id
        WHERE c.sandbox_id = $1 AND c.deleted_at IS NULL ORDER BY q.id FOR NO KEY UPDATE OF q`,
      [sandboxId],
    );
    const [queues] = await transaction.query<[{ id: string }[], number]>(
      `UPDATE message_queues q
          SET failures = 0,
              next_attempt_at = CASE WHEN EXISTS (SELECT 1 FROM pending_messages m
                                                   WHERE m.queue_id = q.id AND m.state = 'delivering')
                                     THEN q.next_attempt_at END
        WHERE q.id = ANY ($1)
          AND EXISTS (SELECT 1 FROM pending_messages m
                       WHERE m.queue_id = q.id AND m.state IN ('queued', 'delivering'))
        RETURNING q.id`,
      [locked.map(({ id }) => id)],
    );
    await this.jobs.addAll(
      transaction,
      queues.map(({ id }) => wakeJob(id)),
    );
  }

  private async close(transaction: EntityManager, sandboxId: string): Promise<void> {
    const conversations = await transaction.query<{ id: string }[]>(
      'SELECT id FROM conversations WHERE sandbox_id = $1',
      [sandboxId],
    );
    const ids = conversations.map(({ id }) => id);
    await this.queues.closed(transaction, ids, 'The sandbox of the conversation is gone.');
  }

  /**
   * The messages of a former member fail (docs/contract.md#member-rules), which the delivery runs themselves
   * see to. The name of its jobs is that of releases without domain events, whose stored jobs it still runs.
   */
  @OnDomainEvent('member.removed', { after: 'commit', name: 'member-removed:messages' })
  async lookAgain({ org_id: orgId, user_id: userId }: DomainEventOf<'member.removed'>): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const queues = await transaction.query<{ id: string }[]>(
        `SELECT q.id FROM message_queues q JOIN conversations c ON c.id = q.conversation_id
          WHERE c.org_id = $1 AND c.created_by_user_id = $2
            AND EXISTS (SELECT 1 FROM pending_messages m
                         WHERE m.queue_id = q.id AND m.state IN ('queued', 'delivering'))`,
        [orgId, userId],
      );
      await this.jobs.addAll(
        transaction,
        queues.map(({ id }) => wakeJob(id)),
      );
    });
  }
}
