import { Statement } from '../../database';

/** What waits in the whole installation; ages in seconds, 0 where nothing waits. */
export interface BacklogRow {
  readonly messages: number;
  readonly oldest_message: number;
  readonly jobs_waiting: number;
  readonly oldest_job: number;
  readonly jobs_scheduled: number;
  readonly jobs_dead: number;
}

/*
 * By hand because rows of several modules are counted without being read.
 */

/**
 * Undelivered messages; and jobs that could run, that are planned for later, and that are given up. Only jobs of names that
 * somebody has ($1), on any host: those of an extension that was removed wait for ever.
 */
export const BACKLOG = new Statement<BacklogRow>(
  `SELECT m.*, j.*
     FROM (SELECT count(*)::int AS messages,
                  coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest_message
             FROM pending_messages WHERE state IN ('queued', 'delivering')) m,
          (SELECT (count(*) FILTER (WHERE run_at <= now() AND NOT dead))::int AS jobs_waiting,
                  coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE run_at <= now() AND NOT dead)), 0)::float8
                    AS oldest_job,
                  (count(*) FILTER (WHERE run_at > now() AND NOT dead))::int AS jobs_scheduled,
                  (count(*) FILTER (WHERE dead))::int AS jobs_dead
             FROM (SELECT run_at, attempts >= max_attempts AS dead
                     FROM graphile_worker.jobs
                    WHERE locked_at IS NULL AND split_part(task_identifier, '@', 1) = ANY ($1)) unlocked) j`,
);
