import { runMigrations } from 'graphile-worker';
import type { Client } from 'pg';
import { graphileLogger } from './graphile-logger';
import { openPool } from '../../database';

/**
 * Migrates the tables of the job queue. Part of the migration step, together with the service's own migrations;
 * workers never run migrations themselves.
 */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  // A pool that the library opens loses its listeners before its connections are closed.
  const pool = openPool({ connectionString: databaseUrl, max: 2 });
  try {
    await runMigrations({ pgPool: pool, logger: graphileLogger() });
  } finally {
    await pool.end();
  }
}

/** The version of the tables of the job queue in a database that has them. */
export async function jobsVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    'SELECT coalesce(max(id), 0)::int AS version FROM graphile_worker.migrations',
  );
  return rows[0]?.version ?? 0;
}
