import { runMigrations } from 'graphile-worker';
import { graphileLogger } from './graphile-logger';

/**
 * Migrates the tables of the job queue. Part of the migration step, together with the service's own migrations;
 * workers never run migrations themselves.
 */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: databaseUrl, maxPoolSize: 2, logger: graphileLogger() });
}
