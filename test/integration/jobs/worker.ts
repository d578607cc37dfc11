import { Clock } from '../../../src/kernel/common';
import { readSettings } from '../../../src/kernel/config';
import { createDataSource } from '../../../src/kernel/database';
import { JobHandlers, JobQueue, JobRunner, type NewJob } from '../../../src/kernel/jobs';
import type { DataSource } from 'typeorm';

export interface TestWorker {
  readonly dataSource: DataSource;
  readonly runner: JobRunner;
  add(job: NewJob): Promise<void>;
  stop(): Promise<void>;
}

/** A worker on a database, as the application has one, with a lease of the given length. */
export async function startWorker(
  url: string,
  leaseSeconds: number,
  register: (handlers: JobHandlers) => void,
): Promise<TestWorker> {
  const settings = readSettings({ JOB_LEASE_SECONDS: String(leaseSeconds) });
  const dataSource = await createDataSource(url, 4).initialize();
  const handlers = new JobHandlers();
  const queue = new JobQueue();
  const runner = new JobRunner(dataSource, handlers, new Clock(), settings);
  register(handlers);
  runner.start();
  return {
    dataSource,
    runner,
    add: (job) => queue.add(dataSource.manager, job),
    async stop() {
      await runner.stop();
      await dataSource.destroy();
    },
  };
}
