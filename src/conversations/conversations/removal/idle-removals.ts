import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers, JobQueue } from '../../../kernel/jobs';
import { IDLE_REMOVALS } from './idle-removals.read-model';
import { removalJob } from './removal-job';

const EVERY_SECONDS = 600;

/** Restarts removals whose job was given up or lost: the server may have been away for days. */
@Injectable()
export class IdleRemovals {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.every('idle-removals', EVERY_SECONDS, () => this.restart());
  }

  private async restart(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const idle = await IDLE_REMOVALS.rows(transaction);
      await this.jobs.addAll(
        transaction,
        idle.map(({ id, baseUrl }) => removalJob(id, baseUrl)),
      );
    });
  }
}
