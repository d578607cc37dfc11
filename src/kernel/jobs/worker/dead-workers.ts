import type { Pool, PoolClient } from 'pg';
import { ADVISORY_LOCKS } from '../../database';

interface DeadWorkerLimits {
  /** Duration of a lease in milliseconds. */
  readonly leaseMs: number;
  /** Grace period after a lease has expired, in which its worker is certain to notice the loss itself. */
  readonly marginMs: number;
}

/**
 * Unlocks the jobs of workers whose lease has expired; only one replica at a time does so.
 * Right after the database has started no worker is considered dead, since all heartbeats are old then.
 * @param alsoUnknown also unlock jobs whose worker has no heartbeat at all
 * @returns ids of the workers whose jobs were unlocked
 */
export async function freeDeadWorkers(
  pool: Pool,
  limits: DeadWorkerLimits,
  alsoUnknown: boolean,
): Promise<string[]> {
  return inTransaction(pool, async (client) => {
    const lock = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
      ADVISORY_LOCKS.deadWorkers,
    ]);
    if (lock.rows[0]?.locked !== true) return [];
    const expired = await client.query<{ id: string }>(
      `DELETE FROM worker_heartbeats
       WHERE lease_until < clock_timestamp() - $1 * interval '1 ms'
         AND pg_postmaster_start_time() < clock_timestamp() - $2 * interval '1 ms'
       RETURNING worker_id AS id`,
      [limits.marginMs, limits.leaseMs + limits.marginMs],
    );
    const dead = expired.rows.map(({ id }) => id);
    if (alsoUnknown) dead.push(...(await unknownWorkers(client, limits)));
    if (dead.length > 0) await freeJobs(client, dead);
    return dead;
  });
}

/** Unlocks the jobs of a worker that has ended, and deletes its heartbeat. */
export async function freeWorker(pool: Pool, workerId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await freeJobs(client, [workerId]);
    await client.query('DELETE FROM worker_heartbeats WHERE worker_id = $1', [workerId]);
  });
}

/** Whether a worker has locked jobs, for longer than a time, beside those that it knows of. */
export async function hasOtherJobs(
  pool: Pool,
  workerId: string,
  known: readonly string[],
  ms: number,
): Promise<boolean> {
  const { rows } = await pool.query(
    `SELECT FROM graphile_worker.jobs
      WHERE locked_by = $1 AND id <> ALL ($2::bigint[]) AND locked_at < now() - $3 * interval '1 ms' LIMIT 1`,
    [workerId, known, ms],
  );
  return rows.length > 0;
}

async function unknownWorkers(client: PoolClient, limits: DeadWorkerLimits): Promise<string[]> {
  const found = await client.query<{ id: string }>(
    `SELECT DISTINCT locked_by AS id FROM graphile_worker.jobs
     WHERE locked_at < now() - $1 * interval '1 ms'
       AND NOT EXISTS (SELECT FROM worker_heartbeats WHERE worker_id = locked_by)`,
    [limits.leaseMs + limits.marginMs],
  );
  return found.rows.map(({ id }) => id);
}

/** An interrupted last attempt is not counted, or the job would be lost. */
async function freeJobs(client: PoolClient, workerIds: readonly string[]): Promise<void> {
  const last = await client.query<{ id: string; max_attempts: number }>(
    `SELECT id, max_attempts FROM graphile_worker.jobs
     WHERE locked_by = ANY ($1) AND attempts >= max_attempts`,
    [workerIds],
  );
  await client.query('SELECT graphile_worker.force_unlock_workers($1)', [workerIds]);
  for (const { id, max_attempts } of last.rows)
    await client.query('SELECT graphile_worker.reschedule_jobs(ARRAY[$1::bigint], attempts => $2)', [
      id,
      max_attempts - 1,
    ]);
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw failure;
  } finally {
    // A connection that failed inside a transaction is closed, which rolls it back.
    client.release(failure);
  }
}
