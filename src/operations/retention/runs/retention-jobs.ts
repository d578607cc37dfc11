import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { JobHandlers, JobQueue, type RunningJob } from '../../../kernel/jobs';
import { CLAIM_SECONDS } from './retention-runs.query';

const EVERY_SECONDS = 3_600;
const JOB = 'retention-run';
const RUN = { name: JOB, payload: {}, key: JOB, maxAttempts: 3 };

/** When retention runs: every hour, by one replica. */
@Injectable()
export class RetentionJobs {
  private handler: (job: RunningJob) => Promise<void> = () => Promise.resolve();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    // What recurs is quick: others wait behind it.
    handlers.every('retention', EVERY_SECONDS, () => this.jobs.add(database.manager, { ...RUN }));
    handlers.register(JOB, z.object({}), (_, job) => this.handler(job), 'slow');
  }

  register(handler: (job: RunningJob) => Promise<void>): void {
    this.handler = handler;
  }

  /** Has it run again once the claim of a dead run has ended. */
  async again(): Promise<void> {
    const runAt = new Date(Date.now() + CLAIM_SECONDS * 1_000);
    await this.jobs.add(this.database.manager, { ...RUN, runAt });
  }
}
