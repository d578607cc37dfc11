import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { ADVISORY_LOCKS } from './advisory-locks';
import { checkCompatibility, recordCompatibility } from './compatibility';
import { queryRows } from '../sql/sql';
import { createMaintenanceDataSource } from '../connection/data-source';

const ASK_AGAIN_MS = 200;

/**
 * Brings the schema of the database up to date, one replica at a time.
 * @param url URL of the database
 * @param further schema changes that are not migrations of ours; run afterwards, under the same lock
 * @returns the names of the migrations that ran
 * @throws StartError when a newer build's schema shuts this build out
 */
export async function migrate(
  url: string,
  further: (url: string) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  // A migration may take long, and so may waiting for the replica that runs it.
  const dataSource = createMaintenanceDataSource(url, 2);
  await dataSource.initialize();
  try {
    const lock = dataSource.createQueryRunner();
    await lock.connect();
    try {
      await acquire(lock);
      await checkCompatibility(dataSource, lock);
      const ran = await dataSource.runMigrations();
      await recordCompatibility(dataSource, lock);
      await further(url);
      return ran.map(({ name }) => name);
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migration]);
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Waits for the lock by asking again: a statement that waits keeps its snapshot, for which `CREATE INDEX CONCURRENTLY`
 * of the replica that holds the lock would wait, for ever.
 */
async function acquire(lock: QueryRunner): Promise<void> {
  while (!(await hasAcquired(lock))) await sleep(ASK_AGAIN_MS);
}

async function hasAcquired(lock: QueryRunner): Promise<boolean> {
  const sql = 'SELECT 1 WHERE pg_try_advisory_lock($1)';
  const rows = await queryRows<object>(lock, sql, [ADVISORY_LOCKS.migration]);
  return rows.length > 0;
}
