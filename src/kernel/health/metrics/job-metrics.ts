import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../../http';
import { type JobRuns, JobRunner } from '../../jobs';

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
    const count = (name: string, help: string, field: keyof JobRuns): void => {
      new Counter({
        name,
        help,
        labelNames: ['job_name'] as const,
        registers,
        collect() {
          this.reset();
          for (const [job, runs] of runner.counts().runs()) this.inc({ job_name: job }, runs[field]);
        },
      });
    };
    count('jobs_succeeded_total', 'Runs of jobs that came to their end, by name.', 'succeeded');
    count('jobs_failed_total', 'Runs of jobs that failed, by name.', 'failed');
    count('job_run_seconds_total', 'Seconds that runs of jobs took together, by name.', 'seconds');
    new Counter({
      name: 'dead_workers_total',
      help: 'Dead workers whose jobs this process gave to others.',
      registers,
      collect() {
        this.reset();
        this.inc(runner.counts().freed);
      },
    });
  }
}
