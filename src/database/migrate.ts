import { createDataSource } from './data-source';

/** Any number; all replicas use the same one, so that only one of them migrates at a time. */
const MIGRATION_LOCK = 7_246_001;

/**
 * Brings the schema of the database up to date, one replica at a time.
 * @param url address of the database
 * @returns the names of the migrations that ran
 */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = createDataSource(url, 2);
  await dataSource.initialize();
  try {
    const lock = dataSource.createQueryRunner();
    await lock.connect();
    try {
      await lock.query('SET statement_timeout = 0');
      await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const ran = await dataSource.runMigrations();
      return ran.map(({ name }) => name);
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
}
