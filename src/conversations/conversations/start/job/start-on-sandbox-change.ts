import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type DomainEventOf, OnDomainEvent } from '../../../../kernel/domain-events';
import { JobQueue } from '../../../../kernel/jobs';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import { startJob } from '../request/start-job-name';

/** Resumes starts that wait for a sandbox as soon as it changes. */
@Injectable()
export class StartOnSandboxChange {
  constructor(
    private readonly tasks: StartTaskRepository,
    private readonly jobs: JobQueue,
  ) {}

  @OnDomainEvent('sandbox.status_changed')
  async followSandbox(
    { sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    // A sandbox that starts leaves a waiting start nothing to do yet.
    if (status === 'STARTING') return;
    const waiting = await this.tasks.waitingFor(transaction, sandbox_id);
    await this.jobs.addAll(
      transaction,
      waiting.map((task) => startJob(task)),
    );
  }
}
