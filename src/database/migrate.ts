import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source';

/** Any number; all replicas use the same one, so that only one of them migrates at a time. */
const MIGRATION_LOCK = 7_246_001;

/**
 * Brings the schema of the database up to date, one replica at a time.
 * @param url address of the database
 * @param further what else belongs to the schema and is no migration of ours; runs afterwards, under the lock
 * @returns the names of the migrations that ran
 */
export async function migrate(
  url: string,
  further: (url: string) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  // No time limit: a migration may take long, and so may the wait for the replica that runs it.
  const dataSource = new DataSource({
    ...dataSourceOptions(url, 2),
    entities: [],
    extra: { statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
  });
  await dataSource.initialize();
  try {
    const lock = dataSource.createQueryRunner();
    await lock.connect();
    try {
      await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const ran = await dataSource.runMigrations();
      await further(url);
      return ran.map(({ name }) => name);
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
}
