import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../http';
import { type JobCounts, JobRunner } from '../jobs';

/** Metrics of this process's background jobs. */
@Injectable()
export class JobMetrics {
  constructor(metrics: Metrics, runner: JobRunner) {
    const registers = [metrics.registry];
    new Gauge({
      name: 'jobs_running',
      help: 'Jobs that run in this process now.',
      registers,
      collect() {
        this.set(runner.counts().running);
      },
    });
    const count = (name: string, help: string, field: keyof JobCounts): void => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(runner.counts()[field]);
        },
      });
    };
    count('jobs_succeeded_total', 'Runs of jobs that came to their end.', 'succeeded');
    count('jobs_failed_total', 'Runs of jobs that failed.', 'failed');
    count('dead_workers_total', 'Dead workers whose jobs this process gave to others.', 'freed');
  }
}
