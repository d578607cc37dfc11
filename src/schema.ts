import type { Client } from 'pg';
import { type SecretBox, StartError } from './kernel/common';
import {
  checkOwner,
  checkPooler,
  checkSecretKey,
  checkVersion,
  type DatabaseAddresses,
  grantToService,
  migrate,
  migrateExtension,
  ownsSchema,
  pendingMigrations,
  pendingOfExtension,
  placeOf,
  refuseUnfinishedRestore,
  settingOf,
  withConnection,
} from './kernel/database';
import type { ExtensionMigrations } from './operations/extensions';
import { migrateJobs } from './kernel/jobs';

/**
 * Checks that a database can be used, before anything is made for it.
 * @throws StartError when the server is too old, sessions are shared, a restore of the database has not ended, or the role that
 *   migrates works elsewhere
 */
export async function checkDatabase(
  addresses: DatabaseAddresses,
  log: { warn(message: string): void },
): Promise<void> {
  const { url, directUrl, migrationUrl } = addresses;
  const check = async (client: Client): Promise<void> => {
    await checkVersion(client);
    await checkPooler(client, addresses, log);
    await refuseUnfinishedRestore(client);
    if (migrationUrl === undefined) return;
    const service = await placeOf(client);
    await asOwner(migrationUrl, async (owner) => checkOwner(await placeOf(owner), service));
  };
  await withConnection(directUrl ?? url, check, settingOf(addresses));
}

/**
 * Migrates a database to this build's schema and that of its extensions, and checks that its secrets can be read.
 * @returns the migrations that this call ran
 * @throws StartError when the schema is too new, the key another one, a migration of an extension fails, or migrations have to run
 *   and the only role that is known does not own the schema
 */
export async function prepareSchema(
  addresses: DatabaseAddresses,
  box: SecretBox,
  extensions: readonly ExtensionMigrations[],
  log: { info(message: string): void },
): Promise<string[]> {
  log.info('Bringing the schema of the database up to date.');
  const { url, directUrl = url, migrationUrl } = addresses;
  const migrated =
    migrationUrl === undefined && !(await withConnection(directUrl, ownsSchema, settingOf(addresses)))
      ? await checkMigrated(directUrl, extensions)
      : await migrateAll({ url: directUrl, migrationUrl }, extensions);
  if (migrated.length > 0)
    log.info(`${migrated.length} ${migrated.length === 1 ? 'migration' : 'migrations'} ran.`);
  await withConnection(directUrl, (client) => checkSecretKey(client, box));
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
 * Runs the migrations of the service, of its jobs and of its extensions, in this order, all under one lock; as the role that owns
 * the schema, which then gives the service's role its rights.
 * @param chosen those that may run; default: all
 * @returns the names of those that ran
 */
export async function migrateAll(
  { url: serviceUrl, migrationUrl }: Pick<DatabaseAddresses, 'url' | 'migrationUrl'>,
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
    if (migrationUrl !== undefined) await grant(migrationUrl, serviceUrl);
  };
  const own = await migrate(migrationUrl ?? serviceUrl, further, among(chosen?.migrations));
  return [...own, ...ofExtensions];
}

async function grant(migrationUrl: string, serviceUrl: string): Promise<void> {
  const service = await withConnection(serviceUrl, placeOf);
  await asOwner(migrationUrl, async (owner) => {
    const { role } = await placeOf(owner);
    if (role !== service.role) await grantToService(owner, service.role);
  });
}

/** Finds nothing to migrate. @throws StartError when there is something */
async function checkMigrated(url: string, extensions: readonly ExtensionMigrations[]): Promise<string[]> {
  const pending = await pendingMigrations(url);
  for (const { name, migrations } of extensions)
    pending.push(...(await pendingOfExtension(url, name, migrations)));
  if (pending.length > 0)
    throw new StartError(
      `The schema of the database is older than this build, by ${pending.length} migrations, and the role of DATABASE_URL does not own it. Run the command migrate with MIGRATION_DATABASE_URL before the start, or set that for the start.`,
    );
  await migrateJobs(url);
  return [];
}

function asOwner<Result>(url: string, task: (owner: Client) => Promise<Result>): Promise<Result> {
  return withConnection(url, task, 'MIGRATION_DATABASE_URL');
}
