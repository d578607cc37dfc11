import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ADVISORY_LOCKS } from './advisory-locks';
import { checkCompatibility, recordCompatibility } from './compatibility';
import { queryRows } from '../sql/sql';
import { createMaintenanceDataSource } from '../connection/data-source';

const ASK_AGAIN_MS = 200;

/**
 * Brings the schema of the database up to date, one replica at a time.
 * @param url URL of the database
 * @param further schema changes that are not migrations of ours; run afterwards, under the same lock
 * @param only chooses the migrations by their names: for the schema of an earlier build, into which a backup goes
 * @returns the names of the migrations that ran
 * @throws StartError when a newer build's schema shuts this build out
 */
export async function migrate(
  url: string,
  further: (url: string) => Promise<void> = () => Promise.resolve(),
  only: (name: string) => boolean = () => true,
): Promise<string[]> {
  // A migration may take long, and so may waiting for the replica that runs it.
  const dataSource = createMaintenanceDataSource(url, 2);
  await dataSource.initialize();
  const { migrations } = dataSource;
  migrations.splice(0, migrations.length, ...migrations.filter((one) => only(nameOf(one))));
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

/** The names of all migrations of this build. */
export async function knownMigrations(url: string): Promise<string[]> {
  const dataSource = createMaintenanceDataSource(url, 1);
  await dataSource.initialize();
  try {
    return dataSource.migrations.map(nameOf);
  } finally {
    await dataSource.destroy();
  }
}

/**
 * The names of the migrations that {@link migrate} would run; changes nothing.
 * @throws StartError when a newer build's schema shuts this build out
 */
export async function pendingMigrations(url: string): Promise<string[]> {
  const dataSource = createMaintenanceDataSource(url, 1);
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    try {
      await checkCompatibility(dataSource, runner);
      const isThere = await runner.hasTable('schema_migrations');
      const done = isThere
        ? await queryRows<{ name: string }>(runner, 'SELECT name FROM schema_migrations')
        : [];
      const names = new Set(done.map(({ name }) => name));
      return dataSource.migrations.map(nameOf).filter((name) => !names.has(name));
    } finally {
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** The name under which a migration is noted. */
export function nameOf(migration: MigrationInterface): string {
  return migration.name ?? migration.constructor.name;
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
