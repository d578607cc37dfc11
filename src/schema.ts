import type { Client } from 'pg';
import type { SecretBox } from './kernel/common';
import {
  checkPooler,
  checkSecretKey,
  checkVersion,
  type DatabaseAddresses,
  migrate,
  migrateExtension,
  refuseUnfinishedRestore,
  settingOf,
  withConnection,
} from './kernel/database';
import type { ExtensionMigrations } from './operations/extensions';
import { migrateJobs } from './kernel/jobs';

/**
 * Checks that a database can be used, before anything is made for it.
 * @throws StartError when the server is too old, sessions are shared, or a restore of the database has not ended
 */
export async function checkDatabase(
  addresses: DatabaseAddresses,
  log: { warn(message: string): void },
): Promise<void> {
  const check = async (client: Client): Promise<void> => {
    await checkVersion(client);
    await checkPooler(client, addresses, log);
    await refuseUnfinishedRestore(client);
  };
  await withConnection(addresses.directUrl ?? addresses.url, check, settingOf(addresses));
}

/**
 * Migrates a database to this build's schema and that of its extensions, and checks that its secrets can be read.
 * @returns the migrations that this call ran
 * @throws StartError when the schema is too new, the key another one, or a migration of an extension
 *   fails
 */
export async function prepareSchema(
  databaseUrl: string,
  box: SecretBox,
  extensions: readonly ExtensionMigrations[],
  log: { info(message: string): void },
): Promise<string[]> {
  log.info('Bringing the schema of the database up to date.');
  const migrated = await migrateAll(databaseUrl, extensions);
  if (migrated.length > 0)
    log.info(`${migrated.length} ${migrated.length === 1 ? 'migration' : 'migrations'} ran.`);
  await withConnection(databaseUrl, (client) => checkSecretKey(client, box));
  return migrated;
}

/** Names of migrations. */
interface ChosenMigrations {
  /** Of the service. */
  readonly migrations: readonly string[];
  /** Of its extensions, by their names. */
  readonly extension_migrations: Readonly<Record<string, readonly string[]>>;
}

/**
 * Runs the migrations of the service, of its jobs and of its extensions, in this order, all under one lock.
 * @param chosen those that may run; default: all
 * @returns the names of those that ran
 */
export async function migrateAll(
  databaseUrl: string,
  extensions: readonly ExtensionMigrations[],
  chosen?: ChosenMigrations,
): Promise<string[]> {
  const ofExtensions: string[] = [];
  const among = (names: readonly string[] | undefined) => (migration: string) =>
    chosen === undefined || names?.includes(migration) === true;
  const further = async (url: string): Promise<void> => {
    await migrateJobs(url);
    for (const { name, migrations } of extensions) {
      const only = among(chosen?.extension_migrations[name]);
      ofExtensions.push(...(await migrateExtension(url, name, migrations, only)));
    }
  };
  const own = await migrate(databaseUrl, further, among(chosen?.migrations));
  return [...own, ...ofExtensions];
}
