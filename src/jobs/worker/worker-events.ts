import { EventEmitter } from 'node:events';
import type { Worker, WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import { isDatabaseReadOnly, replaceIdleConnections } from '../../database';

/** What a session wants to hear of the library that fetches its jobs. */
export interface WorkerObserver {
  /** No more jobs are taken. */
  onEnd(): void;
  /** A job was asked for: whether the database answered. */
  onFetch(answered: boolean): void;
}

/**
 * The events of one pool of the library, told to its session.
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
 * Has a place of the library count as ended before the library ends it for an error, whose stack trace it would
 * print past every log. What became of it, its log line or its session tells.
 */
function releaseWorker(place: Worker): void {
  void Promise.resolve(place.release(true)).catch(() => undefined);
}
