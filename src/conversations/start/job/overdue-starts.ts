import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers, JobQueue } from '../../../jobs';
import { startJob } from '../request/start-job-name';

const EVERY_SECONDS = 30;
const SILENT_FOR = '60 seconds';

/**
 * Sees to it that no start hangs: one that nobody has touched for a while is taken up again, and so is one
 * whose time is over, to end, whatever its job waits for.
 */
@Injectable()
export class OverdueStarts {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.every('overdue-starts', EVERY_SECONDS, () => this.takeUp());
  }

  private async takeUp(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const open = await transaction.query<{ id: string }[]>(
        `SELECT id FROM start_tasks
          WHERE status NOT IN ('READY', 'ERROR')
            AND (deadline_at < now()
                 OR updated_at < now() - $1::interval
                    AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs j
                                     WHERE j.key = 'start:' || start_tasks.id AND j.attempts < j.max_attempts))
          LIMIT 100`,
        [SILENT_FOR],
      );
      await this.jobs.addAll(
        transaction,
        open.map(({ id }) => startJob(id)),
      );
    });
  }
}
