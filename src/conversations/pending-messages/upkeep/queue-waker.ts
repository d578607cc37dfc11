import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ConversationQueue } from '../../conversations';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { RunWaits } from '../after-run/run-waits';
import { JobQueue } from '../../../kernel/jobs';
import { END_PAUSES } from '../after-run/queue-pauses.query';
import {
  CONVERSATIONS_OF_SANDBOX,
  LOCK_PAUSED_QUEUES_OF,
  LOCK_QUEUES_OF_SANDBOX,
  QUEUES_OF_MEMBER,
} from './queues-to-wake.read-model';
import { wakeJob } from '../leases/delivery-job-name';

/** Resumes delivery when a sandbox runs again, an agent has ended its run or a budget was changed, and closes the queues of deleted sandboxes. */
@Injectable()
export class QueueWaker {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly queues: ConversationQueue,
    private readonly waits: RunWaits,
  ) {}

  @OnDomainEvent('sandbox.status_changed')
  async followSandbox(
    { sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (status === 'RUNNING') await this.wake(transaction, sandbox_id);
    if (status === 'MISSING') await this.close(transaction, sandbox_id);
  }

  /** Re-checks queues that wait for the end of a run; the run that asks the agent server meanwhile does so before it pauses. */
  @OnDomainEvent('conversation.status_changed')
  async followAgent(
    { conversation_id, execution_status }: DomainEventOf<'conversation.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (execution_status === 'running') return;
    await this.waits.wake(
      transaction,
      await this.waits.lockOf(transaction, { conversationId: conversation_id }),
    );
  }

  /**
   * A message whose outcome is unknown keeps its settling time; everything else need not wait any longer. Empty queues are
   * locked too: a concurrent enqueue waits for the lock, and then finds the sandbox running.
   */
  private async wake(transaction: EntityManager, sandboxId: string): Promise<void> {
    await this.endPauses(transaction, await LOCK_QUEUES_OF_SANDBOX.rows(transaction, [sandboxId]));
  }

  private async close(transaction: EntityManager, sandboxId: string): Promise<void> {
    const conversations = await CONVERSATIONS_OF_SANDBOX.rows(transaction, [sandboxId]);
    const ids = conversations.map(({ id }) => id);
    await this.queues.close(transaction, ids, 'The sandbox of the conversation is gone.');
  }

  /**
   * A budget may have room again, or a user one of their own. After the commit: a run that reads its queue later finds the budget changed, and one that has
   * read it before is still there, or has paused the queue.
   */
  @OnDomainEvent(['budget.created', 'budget.updated', 'budget.deleted'], {
    after: 'commit',
    name: 'budget-changed:messages',
  })
  async followBudget({
    org_id: orgId,
  }: DomainEventOf<'budget.created' | 'budget.updated' | 'budget.deleted'>): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const locked = await LOCK_PAUSED_QUEUES_OF.rows(transaction, [orgId]);
      await this.endPauses(transaction, locked);
    });
  }

  private async endPauses(
    transaction: EntityManager,
    locked: readonly { readonly id: string }[],
  ): Promise<void> {
    const queues = await END_PAUSES.rows(transaction, [locked.map(({ id }) => id)]);
    await this.jobs.addAll(
      transaction,
      queues.map(({ id }) => wakeJob(id)),
    );
  }

  /**
   * The messages of a former member fail (docs/contract.md#member-rules), which the delivery runs themselves
   * see to.
   */
  @OnDomainEvent('member.removed', { after: 'commit', name: 'member-removed:messages' })
  async wakeQueuesOfMember({
    org_id: orgId,
    user_id: userId,
  }: DomainEventOf<'member.removed'>): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const queues = await QUEUES_OF_MEMBER.rows(transaction, [orgId, userId]);
      await this.jobs.addAll(
        transaction,
        queues.map(({ id }) => wakeJob(id)),
      );
    });
  }
}
