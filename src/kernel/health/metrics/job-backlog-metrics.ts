import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Metrics, scrapedGauges } from '../../http';
import { JobHandlers } from '../../jobs';
import { JOB_BACKLOG } from './job-backlog.read-model';

/** Jobs that wait in the whole installation: every process shows the same. */
@Injectable()
export class JobBacklogMetrics {
  constructor(@InjectDataSource() database: DataSource, { registry }: Metrics, handlers: JobHandlers) {
    const all = (help: string): string => `${help} In all processes together.`;
    scrapedGauges(registry, () => JOB_BACKLOG.rows(database, [handlers.kinds()]), {
      jobs_waiting: ['waiting', all('Jobs that could run and wait for a worker.')],
      jobs_waiting_oldest_seconds: ['oldest_seconds', all('For how long a job has waited for a worker.')],
      jobs_scheduled: ['scheduled', all('Jobs that are planned for later, after failures too.')],
      jobs_dead: ['dead', all('Jobs that failed as often as they may; kept for seven days.')],
    });
  }
}
