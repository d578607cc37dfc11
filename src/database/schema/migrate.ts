import { ADVISORY_LOCKS } from './advisory-locks';
import { checkCompatibility, recordCompatibility } from './compatibility';
import { createMaintenanceDataSource } from '../connection/data-source';

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
      await lock.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
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
