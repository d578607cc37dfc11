import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Tries of a job that names no number of its own: with their growing pauses they last about three days. */
const MAX_ATTEMPTS = 25;

/** A job to be done. */
export interface NewJob {
  /** Which handler does it; see `hostBound` for jobs of one host. */
  readonly name: string;
  readonly payload: unknown;
  /**
   * At most one job that has not begun has this key: adding another replaces it. A job that is running is
   * not touched, and the new one may run beside it.
   */
  readonly key?: string;
  /** What adding under a known key does: `replace` (default) everything, or all but the time it runs at. */
  readonly keyMode?: 'replace' | 'preserve_run_at';
  /** Default: at once. */
  readonly runAt?: Date;
  readonly maxAttempts?: number;
  /**
   * Jobs of one queue run one at a time, over all replicas, so that slow ones leave room for others; a
   * failed one does not hold up the next.
   */
  readonly queue?: string;
}

/** One SQL statement with its parameters. */
export type Statement = readonly [sql: string, parameters: unknown[]];

/** The statement that adds a job. */
export function addJobStatement(job: NewJob): Statement {
  return [
    `SELECT graphile_worker.add_job($1, payload => $2::json, run_at => $3, max_attempts => $4,
                                    job_key => $5, job_key_mode => $6, queue_name => $7)`,
    [
      job.name,
      JSON.stringify(job.payload),
      job.runAt?.toISOString() ?? null,
      job.maxAttempts ?? MAX_ATTEMPTS,
      job.key ?? null,
      job.keyMode ?? 'replace',
      job.queue ?? null,
    ],
  ];
}

/** One statement that adds any number of jobs; a known key replaces what was planned under it. */
function addJobsStatement(jobs: readonly Omit<NewJob, 'keyMode'>[]): Statement {
  const specs = jobs.map((job) => ({
    identifier: job.name,
    payload: job.payload,
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

/** Where features put work that outlives the request. */
@Injectable()
export class JobQueue {
  /**
   * Adds a job, visible to workers when the transaction commits and never when it does not.
   * @param transaction the one that makes the job necessary
   */
  async add(transaction: EntityManager, job: NewJob): Promise<void> {
    const [sql, parameters] = addJobStatement(job);
    await transaction.query(sql, parameters);
  }

  /** Adds any number of jobs in one statement, by their keys: two who add the same ones wait in turn. */
  async addAll(transaction: EntityManager, jobs: readonly Omit<NewJob, 'keyMode'>[]): Promise<void> {
    if (jobs.length === 0) return;
    const byKey = jobs.toSorted(({ key: a = '' }, { key: b = '' }) => (a < b ? -1 : Number(a > b)));
    const [sql, parameters] = addJobsStatement(byKey);
    await transaction.query(sql, parameters);
  }
}
