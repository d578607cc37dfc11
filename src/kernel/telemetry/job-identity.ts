import { AsyncLocalStorage } from 'node:async_hooks';

/** The job in which something is logged. */
interface JobIdentity {
  readonly jobId: string;
}

const current = new AsyncLocalStorage<JobIdentity>();

/** Does the work of a job, whose id is in all that is logged meanwhile. */
export function inJob<Result>(jobId: string, work: () => Result): Result {
  return current.run({ jobId }, work);
}

/** The job under way, for a line of the log; undefined outside of jobs. */
export function jobIdentity(): JobIdentity | undefined {
  return current.getStore();
}
