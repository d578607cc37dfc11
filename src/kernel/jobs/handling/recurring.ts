import type { Pool } from 'pg';
import { addJobStatement } from './job-queue';

/** Random deviation from an interval, so that jobs and replicas do not run in lockstep. */
const JITTER = 0.1;

/** The first run starts within this time. */
const FIRST_WITHIN_MS = 2_000;

const keyOf = (name: string): string => `every:${name}`;

/** Schedules the first run of a recurring job, unless one is scheduled or running. */
export async function scheduleFirst(pool: Pool, name: string, seconds: number): Promise<void> {
  const scheduled = await pool.query(
    `SELECT FROM graphile_worker.jobs
     WHERE key = $1 AND (attempts < max_attempts OR locked_at IS NOT NULL)`,
    [keyOf(name)],
  );
  if (scheduled.rowCount !== 0) return;
  await schedule(pool, name, Math.random() * Math.min(seconds * 1000, FIRST_WITHIN_MS));
}

/** Schedules the next run of a recurring job, one interval from now. */
export async function scheduleNext(pool: Pool, name: string, seconds: number): Promise<void> {
  await schedule(pool, name, seconds * 1000 * (1 + JITTER * (2 * Math.random() - 1)));
}

async function schedule(pool: Pool, name: string, inMs: number): Promise<void> {
  const runAt = new Date(Date.now() + inMs);
  const [sql, parameters] = addJobStatement({ name, payload: {}, key: keyOf(name), runAt });
  await pool.query(sql, parameters);
}
