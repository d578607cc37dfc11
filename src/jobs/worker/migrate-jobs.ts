import { runMigrations } from 'graphile-worker';
import { graphileLogger } from './graphile-logger';

/**
 * Brings the tables of the job queue up to date. Part of the migration step, together with the service's
 * own migrations; workers never migrate by themselves.
 */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: databaseUrl, maxPoolSize: 2, logger: graphileLogger() });
}
