import { EventEmitter } from 'node:events';
import type { Worker, WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import { isDatabaseReadOnly, replaceIdleConnections } from '../../database';

/** What a session observes of the library that fetches its jobs. */
interface WorkerObserver {
  /** No more jobs are taken. */
  onEnd(): void;
  /** A job was asked for: whether the database answered. */
  onFetch(answered: boolean): void;
}

/**
 * The events of one pool of the library, passed on to its session.
 * @param db connections of the pool: those whose session takes no writes are replaced, for they would refuse jobs
 * for good
 */
export function workerEvents(db: Pool, observer: WorkerObserver): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  let isEnding = false;
  const refused = (error: unknown): void => {
    if (isDatabaseReadOnly(error)) replaceIdleConnections(db);
  };
  events.on('pool:gracefulShutdown', () => {
    isEnding = true;
    observer.onEnd();
  });
  events.on('worker:getJob:error', ({ worker, error }) => {
    observer.onFetch(false);
    refused(error);
    if (isEnding) releaseWorker(worker);
  });
  events.on('worker:fatalError', ({ worker, error }) => {
    refused(error);
    releaseWorker(worker);
  });
  events.on('worker:getJob:empty', () => observer.onFetch(true));
  events.on('job:start', () => observer.onFetch(true));
  return events;
}

/**
 * Releases a worker before the library ends it for an error, whose stack trace the library would print past every
 * log. The error itself is logged, or ends the session.
 */
function releaseWorker(worker: Worker): void {
  void Promise.resolve(worker.release(true)).catch(() => undefined);
}
