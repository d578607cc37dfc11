import type { MigrationInterface } from 'typeorm';
import { ExtensionError, messageOf } from '../../common';
import { createMaintenanceDataSource } from '../connection/data-source';
import { nameOf } from './migrate';

/**
 * Runs the migrations of an extension, noted in a table of its own; the caller holds the lock of `migrate`.
 * @param name of the extension
 * @param only chooses migrations by their names: for the schema of an earlier build, into which a backup goes
 * @returns the names of the migrations that ran
 * @throws ExtensionError when one of them fails; the database is as it was before that one, unless it has no transaction
 */
export async function migrateExtension(
  url: string,
  name: string,
  migrations: readonly (new () => MigrationInterface)[],
  only: (name: string) => boolean = () => true,
): Promise<string[]> {
  const dataSource = createMaintenanceDataSource(url, 1, {
    migrations: migrations.filter((Migration) => only(nameOf(new Migration()))),
    migrationsTableName: `${name}_migrations`,
  });
  await dataSource.initialize();
  try {
    return (await dataSource.runMigrations()).map((migration) => migration.name);
  } catch (error) {
    const isUndone = dataSource.migrations.every(({ transaction }) => transaction !== false);
    const so = isUndone ? ', and was undone' : '; what it did stays if it has transaction = false';
    throw new ExtensionError(
      `A migration of the extension ${name} failed${so}: ${messageOf(error)}. Mend it, or leave the extension out of EXTENSIONS.`,
      { cause: error },
    );
  } finally {
    await dataSource.destroy();
  }
}
