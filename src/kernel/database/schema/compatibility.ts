import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { StartError } from '../../common';

/**
 * A migration that says which builds may run on the schema that it makes. A build is known by the time of its
 * newest migration, which orders builds (docs/operations.md, "Upgrades").
 */
export interface CompatibleMigration extends MigrationInterface {
  /** The oldest build that works with the schema after this migration. */
  readonly oldestBuild: number;
}

/** The build that the code of a data source is. */
export function buildOf({ migrations }: DataSource): number {
  return Math.max(...migrations.map(timeOf));
}

/**
 * @throws StartError when a migration of a newer build shut this one out, or the schema is older than the first migration
 * @throws Error when a migration does not say which builds it shuts out
 */
export async function checkCompatibility(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  for (const migration of dataSource.migrations) oldestBuildOf(migration);
  if (!(await isThere(runner))) return;
  const [{ first, oldest }] = await runner.manager.query<[{ first: string | null; oldest: string | null }]>(
    'SELECT min(build) AS first, max(oldest_build) AS oldest FROM schema_compatibility',
  );
  if (first !== null && Number(first) < Math.min(...dataSource.migrations.map(timeOf)))
    throw new StartError(
      'The database is of a build before version 0.1.0, from which there is no upgrade. Start with an empty database, or a new DATA_DIR.',
    );
  const build = buildOf(dataSource);
  if (oldest !== null && build < Number(oldest))
    throw new StartError(
      `The database belongs to a newer build: it needs build ${oldest} or newer, and this is build ${build}. Start the newer one, or restore the backup from before the upgrade.`,
    );
}

/** Writes down which builds may run on the schema, for the starts of older ones. */
export async function recordCompatibility(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  if (!(await isThere(runner))) return;
  const rows = dataSource.migrations.map((migration) => ({
    build: timeOf(migration),
    oldest: oldestBuildOf(migration),
  }));
  await runner.query(
    `INSERT INTO schema_compatibility (build, oldest_build)
     SELECT build, max(oldest) FROM jsonb_to_recordset($1::jsonb) AS new (build bigint, oldest bigint) GROUP BY build
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

async function isThere(runner: QueryRunner): Promise<boolean> {
  const [{ found }] = await runner.manager.query<[{ found: boolean }]>(
    `SELECT to_regclass('schema_compatibility') IS NOT NULL AS found`,
  );
  return found;
}

function oldestBuildOf(migration: MigrationInterface): number {
  if ('oldestBuild' in migration && typeof migration.oldestBuild === 'number') return migration.oldestBuild;
  throw new Error(`The migration ${timeOf(migration)} does not name the oldest build.`);
}

/** Of the name: when the migration was written, to the second. */
function timeOf(migration: MigrationInterface): number {
  const time = /\d{14}$/.exec(migration.name ?? migration.constructor.name)?.[0];
  if (time === undefined) throw new Error(`The migration ${migration.constructor.name} carries no time.`);
  return Number(time);
}
