import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConversationReports } from '../../conversations';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { JobQueue } from '../../../kernel/jobs';
import { backfillJob } from './backfill-job';

/** Has the missing events of conversations read when their sandbox runs again. */
@Injectable()
export class BackfillOnRunning {
  constructor(
    private readonly conversations: ConversationReports,
    private readonly jobs: JobQueue,
  ) {}

  @OnDomainEvent('sandbox.status_changed')
  async scheduleOnceRunning(
    { sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (status !== 'RUNNING') return;
    const ids = await this.conversations.idsReadyIn(transaction, sandbox_id);
    await this.jobs.addAll(
      transaction,
      ids.map((id) => backfillJob(id, sandbox_id)),
    );
  }
}
