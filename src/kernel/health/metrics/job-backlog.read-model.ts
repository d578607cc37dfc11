import { Statement } from '../../database';

/** Jobs that wait in the whole installation; for how many seconds the first has, 0 where none does. */
interface JobBacklog {
  readonly waiting: number;
  readonly oldest_seconds: number;
  readonly scheduled: number;
  readonly dead: number;
}

/* By hand because rows of the job queue are counted without being read. */

/**
 * Jobs that could run, that are planned for later, and that are given up. Only those of names that somebody has ($1), on any
 * host: those of an extension that was removed wait for ever.
 */
export const JOB_BACKLOG = new Statement<JobBacklog>(
  `SELECT (count(*) FILTER (WHERE run_at <= now() AND NOT dead))::int AS waiting,
          coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE run_at <= now() AND NOT dead)), 0)::float8
            AS oldest_seconds,
          (count(*) FILTER (WHERE run_at > now() AND NOT dead))::int AS scheduled,
          (count(*) FILTER (WHERE dead))::int AS dead
     FROM (SELECT run_at, attempts >= max_attempts AS dead
             FROM graphile_worker.jobs
            WHERE locked_at IS NULL AND split_part(task_identifier, '@', 1) = ANY ($1)) unlocked`,
);
