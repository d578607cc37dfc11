import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { Metrics, ScrapedReading } from '../../http';
import { JobHandlers } from '../../jobs';
import { BACKLOG, type BacklogRow } from './backlog.read-model';

/** What waits in the whole installation: every process shows the same. */
@Injectable()
export class BacklogMetrics {
  constructor(@InjectDataSource() database: DataSource, { registry }: Metrics, handlers: JobHandlers) {
    const registers = [registry];
    const backlog = new ScrapedReading(() => BACKLOG.rows(database, [handlers.kinds()]));
    const gauge = (name: string, help: string, field: keyof BacklogRow): void => {
      new Gauge({
        name,
        help: `${help} In all processes together.`,
        registers,
        async collect() {
          const [row] = (await backlog.current()) ?? [];
          if (row === undefined) this.remove();
          else this.set(row[field]);
        },
      });
    };
    gauge('queued_messages', 'Messages that are not delivered yet.', 'messages');
    gauge('queued_messages_oldest_seconds', 'Age of the oldest undelivered message.', 'oldest_message');
    gauge('jobs_waiting', 'Jobs that could run and wait for a worker.', 'jobs_waiting');
    gauge('jobs_waiting_oldest_seconds', 'For how long a job has waited for a worker.', 'oldest_job');
    gauge('jobs_scheduled', 'Jobs that are planned for later, after failures too.', 'jobs_scheduled');
    gauge('jobs_dead', 'Jobs that failed as often as they may; kept for seven days.', 'jobs_dead');
  }
}
