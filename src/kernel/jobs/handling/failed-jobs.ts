import type { DataSource } from 'typeorm';

const LIMIT = 1_000;

/** A job whose last attempt failed. */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  /** `kind` of its payload. */
  readonly kind: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly lastError: string;
  readonly createdAt: Date;
  readonly runAt: Date;
}

/**
 * Jobs that have failed and not succeeded since, oldest first, at most 1000. The public view of the queue has
 * no payloads, so this reads its private tables.
 * @param kinds only jobs whose payload has one of these as `kind`
 */
export async function failedJobsWithKind(
  database: DataSource,
  kinds: readonly string[],
): Promise<FailedJob[]> {
  return database.query<FailedJob[]>(
    `SELECT j.id, t.identifier AS name, j.payload->>'kind' AS kind, j.attempts::int, j.max_attempts::int AS "maxAttempts",
            j.last_error AS "lastError", j.created_at AS "createdAt", j.run_at AS "runAt"
       FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE j.last_error IS NOT NULL AND j.payload->>'kind' = ANY ($1)
      ORDER BY j.created_at, j.id LIMIT ${LIMIT}`,
    [kinds],
  );
}
