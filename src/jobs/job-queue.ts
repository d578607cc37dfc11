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
}

/** One SQL statement with its parameters. */
export type Statement = readonly [sql: string, parameters: unknown[]];

/** The statement that adds a job. */
export function addJobStatement(job: NewJob): Statement {
  return [
    `SELECT graphile_worker.add_job($1, payload => $2::json, run_at => $3, max_attempts => $4,
                                    job_key => $5, job_key_mode => $6)`,
    [
      job.name,
      JSON.stringify(job.payload),
      job.runAt?.toISOString() ?? null,
      job.maxAttempts ?? MAX_ATTEMPTS,
      job.key ?? null,
      job.keyMode ?? 'replace',
    ],
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
}
