import type { DataSource } from 'typeorm';

/** How many jobs of a name are stored; of those that are bound to a host, on all hosts together. */
export interface StoredJobs {
  readonly name: string;
  readonly jobs: number;
}

/**
 * The jobs that nobody runs, as those of an extension that is not loaded, whether they wait or have failed.
 * @param handled names that somebody has a handler for, as `JobHandlers.kinds` says
 */
export async function unhandledJobs(database: DataSource, handled: readonly string[]): Promise<StoredJobs[]> {
  return database.query<StoredJobs[]>(
    `SELECT split_part(task_identifier, '@', 1) AS name, count(*)::int AS jobs FROM graphile_worker.jobs
      WHERE split_part(task_identifier, '@', 1) <> ALL ($1) GROUP BY 1 ORDER BY 1`,
    [handled],
  );
}

/** Deletes all jobs of names that do not run at the moment. @returns how many there were of each */
export async function deleteJobs(database: DataSource, names: readonly string[]): Promise<StoredJobs[]> {
  return database.query<StoredJobs[]>(
    `WITH deleted AS (
       SELECT id FROM graphile_worker.complete_jobs(ARRAY(
         SELECT id FROM graphile_worker.jobs WHERE split_part(task_identifier, '@', 1) = ANY ($1))))
     SELECT split_part(task_identifier, '@', 1) AS name, count(*)::int AS jobs
       FROM graphile_worker.jobs JOIN deleted USING (id) GROUP BY 1 ORDER BY 1`,
    [names],
  );
}
