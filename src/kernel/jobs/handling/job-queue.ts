import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TraceContext } from '../../telemetry';
import { withTrace } from './job-handlers';

/** Default number of attempts: with exponential back-off they span about four days. */
const MAX_ATTEMPTS = 25;

/** A job to be added. */
export interface NewJob {
  /** Selects the handlers; see `hostBound` for jobs of one host. */
  readonly name: string;
  readonly payload: unknown;
  /** What it is a part of; by default the span under way. */
  readonly traceContext?: TraceContext | null;
  /**
   * Deduplicates waiting jobs: adding another one with the same key replaces it. A job that is already running
   * is left alone, and the new one may run at the same time.
   */
  readonly key?: string;
  /** How a waiting job with the same key is replaced: entirely (`replace`, the default), or all but its `runAt`. */
  readonly keyMode?: 'replace' | 'preserve_run_at';
  /** Default: immediately. */
  readonly runAt?: Date;
  readonly maxAttempts?: number;
  /**
   * Jobs of one queue run one at a time across all replicas, so that they cannot occupy every worker. A failed
   * job does not block the next one.
   */
  readonly queue?: string;
}

/** A queue name has at most so many characters. */
const MAX_QUEUE_NAME = 120;

/**
 * The queue of jobs of one kind that wait for the same server: one that hangs takes one worker's place, whatever else
 * waits for it.
 */
export function queueOfServer(kind: string, baseUrl: string): string {
  return `${kind}:${baseUrl}`.slice(0, MAX_QUEUE_NAME);
}

/** A job with a key that is not due yet. */
export interface DelayedJob extends Omit<NewJob, 'keyMode' | 'queue'> {
  readonly key: string;
  readonly runAt: Date;
}

/**
 * What `add_delayed_job` is given, a function of the database that adds a job without waking workers, which would look for it
 * in vain. @param job null for no values
 */
export function delayedJobValues(job: DelayedJob | null): readonly unknown[] {
  if (job === null) return [null, null, null, null, null];
  const payload = JSON.stringify(withTrace(job));
  return [job.name, payload, job.runAt.toISOString(), job.maxAttempts ?? MAX_ATTEMPTS, job.key];
}

/** Jobs that are due so soon are for workers to look for at once: clocks may differ a little. */
const SOON_MS = 500;

function isDelayed(job: NewJob): job is NewJob & DelayedJob {
  const { key, keyMode = 'replace', runAt, queue } = job;
  if (key === undefined || runAt === undefined || queue !== undefined || keyMode !== 'replace') return false;
  return runAt.getTime() >= Date.now() + SOON_MS;
}

/** One SQL statement with its parameters. */
export type Statement = readonly [sql: string, parameters: unknown[]];

/** The statement that adds a job. */
export function addJobStatement(job: NewJob): Statement {
  if (isDelayed(job)) return ['SELECT add_delayed_job($1, $2, $3, $4, $5)', [...delayedJobValues(job)]];
  return [
    `SELECT graphile_worker.add_job($1, payload => $2::json, run_at => $3, max_attempts => $4,
                                    job_key => $5, job_key_mode => $6, queue_name => $7)`,
    [
      job.name,
      JSON.stringify(withTrace(job)),
      job.runAt?.toISOString() ?? null,
      job.maxAttempts ?? MAX_ATTEMPTS,
      job.key ?? null,
      job.keyMode ?? 'replace',
      job.queue ?? null,
    ],
  ];
}

/** One statement that adds any number of jobs; a waiting job with the same key is replaced. */
function addJobsStatement(jobs: readonly Omit<NewJob, 'keyMode'>[]): Statement {
  const specs = jobs.map((job) => ({
    identifier: job.name,
    payload: withTrace(job),
    queue_name: job.queue ?? null,
    run_at: job.runAt?.toISOString() ?? null,
    max_attempts: job.maxAttempts ?? MAX_ATTEMPTS,
    job_key: job.key ?? null,
  }));
  return [
    `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
       SELECT json_populate_record(NULL::graphile_worker.job_spec, spec) FROM json_array_elements($1) AS spec))`,
    [JSON.stringify(specs)],
  ];
}

/** Adds jobs: work that outlives the request. */
@Injectable()
export class JobQueue {
  /**
   * Adds a job; workers see it if and when the transaction commits.
   * @param transaction the one of the change that needs the job
   */
  async add(transaction: EntityManager, job: NewJob): Promise<void> {
    const [sql, parameters] = addJobStatement(job);
    await transaction.query(sql, parameters);
  }

  /** Whether a job with a key waits or runs. */
  async has(manager: EntityManager, key: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      'SELECT 1 FROM graphile_worker.jobs WHERE key = $1 AND attempts < max_attempts',
      [key],
    );
    return rows.length > 0;
  }

  /** Removes the job with a key; one that runs ends, and is not tried again. */
  async remove(manager: EntityManager, key: string): Promise<void> {
    await manager.query('SELECT FROM graphile_worker.remove_job($1)', [key]);
  }

  /** Adds any number of jobs in one statement, sorted by key so that concurrent calls cannot deadlock. */
  async addAll(transaction: EntityManager, jobs: readonly Omit<NewJob, 'keyMode'>[]): Promise<void> {
    if (jobs.length === 0) return;
    const byKey = jobs.toSorted(({ key: a = '' }, { key: b = '' }) => (a < b ? -1 : Number(a > b)));
    const [sql, parameters] = addJobsStatement(byKey);
    await transaction.query(sql, parameters);
  }
}
