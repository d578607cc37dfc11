import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers, JobQueue } from '../../../../kernel/jobs';
import { startJob } from '../request/start-job-name';
import { OVERDUE_STARTS } from './overdue-starts.read-model';

const EVERY_SECONDS = 30;
const SILENT_FOR = '60 seconds';

/**
 * Re-queues starts that make no progress, and starts past their deadline so that a run can fail them.
 */
@Injectable()
export class OverdueStarts {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.every('overdue-starts', EVERY_SECONDS, () => this.restart());
  }

  private async restart(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const overdue = await OVERDUE_STARTS.rows(transaction, [SILENT_FOR]);
      await this.jobs.addAll(
        transaction,
        overdue.map((task) => startJob(task)),
      );
    });
  }
}
