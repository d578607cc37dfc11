import { AsyncLocalStorage } from 'node:async_hooks';

/** The request or the job in which something is logged. */
type LogIdentity = { readonly requestId: string } | { readonly jobId: string };

const current = new AsyncLocalStorage<LogIdentity>();

/** Does the work of a request or a job, whose id is in all that is logged meanwhile. */
export function inLogged<Result>(identity: LogIdentity, work: () => Result): Result {
  return current.run(identity, work);
}

/** The request or job under way, for a line of the log; undefined outside of both. */
export function logIdentity(): LogIdentity | undefined {
  return current.getStore();
}
