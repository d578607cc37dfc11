import type { Pool } from 'pg';
import { addJobStatement } from './job-queue';

/** How far an interval may differ from what was asked, so that replicas and jobs do not march in step. */
const JITTER = 0.1;

/** A first run begins within this time. */
const FIRST_WITHIN_MS = 2_000;

const keyOf = (name: string): string => `every:${name}`;

/** Plans the first run of a recurring job, unless one is planned or running. */
export async function scheduleFirst(pool: Pool, name: string, seconds: number): Promise<void> {
  const planned = await pool.query(
    `SELECT FROM graphile_worker.jobs
     WHERE key = $1 AND (attempts < max_attempts OR locked_at IS NOT NULL)`,
    [keyOf(name)],
  );
  if (planned.rowCount !== 0) return;
  await schedule(pool, name, Math.random() * Math.min(seconds * 1000, FIRST_WITHIN_MS));
}

/** Plans the next run of a recurring job, an interval from now. */
export async function scheduleNext(pool: Pool, name: string, seconds: number): Promise<void> {
  await schedule(pool, name, seconds * 1000 * (1 + JITTER * (2 * Math.random() - 1)));
}

async function schedule(pool: Pool, name: string, inMs: number): Promise<void> {
  const runAt = new Date(Date.now() + inMs);
  const [sql, parameters] = addJobStatement({ name, payload: {}, key: keyOf(name), runAt });
  await pool.query(sql, parameters);
}
