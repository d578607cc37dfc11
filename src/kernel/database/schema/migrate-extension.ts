import type { DataSource, MigrationInterface } from 'typeorm';
import { ExtensionError, messageOf, StartError } from '../../common';
import { createMaintenanceDataSource, MIGRATIONS_TABLE } from '../connection/data-source';
import { queryRows } from '../sql/sql';
import { nameOf } from './migrate';

/**
 * Runs the migrations of an extension, noted in a table of its own; the caller holds the lock of `migrate`.
 * @param name of the extension
 * @param only chooses migrations by their names: for the schema of an earlier build, into which a backup goes
 * @returns the names of the migrations that ran
 * @throws StartError when the database has migrations of the extension that this version of it has not
 * @throws ExtensionError when one of them fails; the database is as it was before that one, unless it has no transaction
 */
export async function migrateExtension(
  url: string,
  name: string,
  migrations: readonly (new () => MigrationInterface)[],
  only: (name: string) => boolean = () => true,
): Promise<string[]> {
  const chosen = migrations.filter((Migration) => only(nameOf(new Migration())));
  return withMigrations({ url, name, known: migrations, chosen }, async (dataSource) => {
    try {
      return (await dataSource.runMigrations()).map((migration) => migration.name);
    } catch (error) {
      const isUndone = dataSource.migrations.every(({ transaction }) => transaction !== false);
      const so = isUndone ? ', and was undone' : '; what it did stays if it has transaction = false';
      throw new ExtensionError(
        `A migration of the extension ${name} failed${so}: ${messageOf(error)}. Mend it, or leave the extension out of EXTENSIONS.`,
        { cause: error },
      );
    }
  });
}

/**
 * Undoes the migrations of an extension, the last one first, and deletes the record of them; the caller holds the lock of `migrate`.
 * @returns the names of those that were undone
 * @throws StartError when the database has migrations of the extension that this version of it has not
 * @throws ExtensionError when one of them cannot be undone; those after it are
 */
export async function undoExtension(
  url: string,
  name: string,
  migrations: readonly (new () => MigrationInterface)[],
): Promise<string[]> {
  return withMigrations({ url, name, known: migrations, chosen: migrations }, async (dataSource) => {
    try {
      const done = (await doneBy(dataSource, name)).reverse();
      for (let left = done.length; left > 0; left--) await dataSource.undoLastMigration();
      await dataSource.query(`DROP TABLE IF EXISTS ${name}_migrations`);
      return done;
    } catch (error) {
      throw new ExtensionError(
        `A migration of the extension ${name} could not be undone: ${messageOf(error)}. Drop what it made by hand, and ${name}_migrations.`,
        { cause: error },
      );
    }
  });
}

/**
 * The names of the migrations of an extension that {@link migrateExtension} would run; changes nothing.
 * @throws StartError when the database has migrations of the extension that this version of it has not
 */
export async function pendingOfExtension(
  url: string,
  name: string,
  migrations: readonly (new () => MigrationInterface)[],
): Promise<string[]> {
  return withMigrations({ url, name, known: migrations, chosen: [] }, async (dataSource) => {
    const done = await doneBy(dataSource, name);
    return migrations.map((Migration) => nameOf(new Migration())).filter((each) => !done.includes(each));
  });
}

/** The names of extensions that have migrations noted in a database, whether they are loaded or not. */
export async function extensionsWithMigrations(database: DataSource): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    database,
    `SELECT left(relname, -length('_migrations')) AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname ~ '^[a-z].*_migrations$'
        AND relname <> $1 ORDER BY 1`,
    [MIGRATIONS_TABLE],
  );
  return rows.map(({ name }) => name);
}

/** The migrations of an extension in a database. */
interface InDatabase {
  readonly url: string;
  /** Of the extension. */
  readonly name: string;
  readonly known: readonly (new () => MigrationInterface)[];
  /** Those of them that the task is about. */
  readonly chosen: readonly (new () => MigrationInterface)[];
}

/** @throws StartError when the database has migrations of the extension that this version of it has not; what the task throws */
async function withMigrations<Result>(
  { url, name, known, chosen }: InDatabase,
  task: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const dataSource = createMaintenanceDataSource(url, 1, {
    migrations: [...chosen],
    migrationsTableName: `${name}_migrations`,
  });
  await dataSource.initialize();
  try {
    await refuseUnknown(dataSource, name, known);
    return await task(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** The names of the migrations of an extension that have run, in that order. */
async function doneBy(dataSource: DataSource, name: string): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const table = `${name}_migrations`;
    if (!(await runner.hasTable(table))) return [];
    const done = await queryRows<{ name: string }>(runner, `SELECT name FROM ${table} ORDER BY id`);
    return done.map((row) => row.name);
  } finally {
    await runner.release();
  }
}

/** As with the service's own: what a newer version has made of the schema, an older one does not know. */
async function refuseUnknown(
  dataSource: DataSource,
  name: string,
  migrations: readonly (new () => MigrationInterface)[],
): Promise<void> {
  const known = new Set(migrations.map((Migration) => nameOf(new Migration())));
  const unknown = (await doneBy(dataSource, name)).filter((each) => !known.has(each));
  if (unknown.length > 0)
    throw new StartError(
      `The database belongs to another version of the extension ${name}, which has the migrations ${unknown.join(', ')}. Start that version, or restore the backup from before the upgrade.`,
    );
}
