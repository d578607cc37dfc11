import type { Client } from 'pg';
import { messageOf, SecretBox } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import {
  analyze,
  beginRestore,
  type CopiedTable,
  checkPooler,
  checkVersion,
  isKeyOfSecrets,
  knownMigrations,
  migrationName,
  missingTables,
  settingOf,
  unfinishedRestore,
  withConnection,
  withLoad,
} from '../../kernel/database';
import type { ExtensionMigrations } from '../extensions';
import { jobsVersion } from '../../kernel/jobs';
import { migrateAll, prepareSchema } from '../../schema';
import { openDatabase, type StartLog } from '../../start-up';
import { readArchive } from './archive/archive-reader';
import type { Header } from './archive/format';
import { BackupError } from './backup-error';
import { Contents, type Loaded, readHeader } from './contents';
import { StagedFiles } from './files/staged-files';

/** The result of a restore. */
export interface RestoredBackup {
  readonly made_at: string;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** The number of files, folders and links of sandboxes that could not be restored. */
  readonly left_out: number;
  /** The migrations that brought the database to the schema of this build. */
  readonly migrations: readonly string[];
}

/** The options of a restore. */
interface RestoreOptions {
  readonly path: string;
  readonly passphrase: string;
  /** Tables to leave out: those that no migration of this build makes, nor of its extensions. */
  readonly without: readonly string[];
  readonly extensions: readonly ExtensionMigrations[];
}

/**
 * Restores a backup into an empty database and a `DATA_DIR` without sandboxes, and brings it to the schema of this build.
 * The rows come in one transaction: a restore that fails, or is killed, leaves nothing that a service would start on, and
 * can be run again.
 * @throws BackupError, StartError
 */
export async function restoreBackup(
  settings: Settings,
  { path, passphrase, without, extensions }: RestoreOptions,
  log: StartLog,
): Promise<RestoredBackup> {
  return readArchive(path, passphrase, async (entries) => {
    const iterator = entries[Symbol.asyncIterator]();
    const header = await readHeader(iterator);
    const staged = await StagedFiles.open(settings);
    const database = await openDatabase(settings, 'command', { log });
    const { migrationUrl } = database;
    try {
      const secretKey = settings.SECRET_KEY ?? header.secret_key;
      const box = new SecretBox([secretKey, ...settings.SECRET_KEYS_OLD]);
      const { DATABASE_URL: url = database.url, DATABASE_DIRECT_URL: directUrl } = settings;
      const restoreInto = async (client: Client): Promise<Loaded> => {
        await checkVersion(client);
        await checkPooler(client, { url, directUrl }, log);
        checkExtensions(header, extensions);
        await makeSchema(client, migrationUrl ?? database.url, header, extensions, staged);
        const tables = await tablesToLoad(client, header, without);
        const loaded = await withLoad(
          client,
          tables,
          async (load) => {
            const result = await new Contents(iterator, staged.folder).loadInto(load, tables);
            await checkKey(client, box);
            return result;
          },
          async () => {
            const keptKey = settings.SECRET_KEY === undefined ? secretKey : null;
            const restore = await unfinishedRestore(client);
            if (restore === null) throw new Error('The database does not say that a restore has begun.');
            await staged.moveIntoPlace(restore, keptKey);
          },
        );
        await staged.settle();
        await analyze(client);
        return loaded;
      };
      const restored =
        migrationUrl === undefined
          ? await withConnection(database.url, restoreInto, settingOf({ directUrl }))
          : await withConnection(migrationUrl, restoreInto, 'MIGRATION_DATABASE_URL');
      const { tables, rows, files, leftOut, example } = restored;
      if (leftOut > 0)
        log.warn(
          `${leftOut} files, folders or links of sandboxes could not be made here, such as ${JSON.stringify(example)}.`,
        );
      return {
        made_at: header.made_at,
        tables,
        rows,
        files,
        left_out: leftOut,
        migrations: await prepareSchema(database, box, extensions, log),
      };
    } finally {
      await staged
        .remove()
        .catch((error: unknown) =>
          log.warn(`${staged.folder} is left, and can be removed: ${messageOf(error)}`),
        );
      await database.stop();
    }
  });
}

/** @throws BackupError when a migration of an extension is in the backup, and not in the extension */
function checkExtensions({ extension_migrations }: Header, extensions: readonly ExtensionMigrations[]): void {
  for (const { name, migrations } of extensions) {
    const known = new Set(migrations.map((Migration) => migrationName(new Migration())));
    const unknown = extension_migrations[name]?.find((migration) => !known.has(migration));
    if (unknown !== undefined)
      throw new BackupError(
        `The backup is of a newer build of the extension ${name}: the one in EXTENSIONS does not have its migration ${unknown}. Name a build that has it.`,
      );
  }
}

/** Makes the schema that the backup is of. */
async function makeSchema(
  client: Client,
  url: string,
  header: Header,
  extensions: readonly ExtensionMigrations[],
  staged: StagedFiles,
): Promise<void> {
  const known = new Set(await knownMigrations(url));
  const unknown = header.migrations.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new BackupError(
      `The backup is of a newer build: this one does not have its migration ${unknown}. Restore it with the release that made it, ${header.version}, or a newer one.`,
    );
  await staged.removePresent(await unfinishedRestore(client));
  if (!(await beginRestore(client)))
    throw new BackupError(
      'The database has tables already. Restore into one without any: name another in DATABASE_URL or, for the embedded one, another folder in DATA_DIR.',
    );
  await migrateAll({ url }, extensions, header);
  const version = await jobsVersion(client);
  if (version !== header.jobs_version)
    throw new BackupError(
      `The job queue of the backup is version ${header.jobs_version}, and that of this build ${version}. Restore with the release that made it, ${header.version}, and upgrade then.`,
    );
}

async function tablesToLoad(
  client: Client,
  header: Header,
  without: readonly string[],
): Promise<readonly CopiedTable[]> {
  const tables = header.tables.filter(({ name }) => !without.includes(name));
  const missing = (await missingTables(client, tables)).map(({ name }) => name);
  if (missing.length > 0)
    throw new BackupError(
      `No migration of this build makes ${missing.join(', ')}, which the backup has. Name the extensions that make them in EXTENSIONS, or leave them out with --without ${missing.join(',')}.`,
    );
  return tables;
}

async function checkKey(client: Client, box: SecretBox): Promise<void> {
  if (!(await isKeyOfSecrets(client, box)))
    throw new BackupError(
      'SECRET_KEY is not the key that the secrets in this backup are encrypted with. Set the right one, or list it in SECRET_KEYS_OLD.',
    );
}
