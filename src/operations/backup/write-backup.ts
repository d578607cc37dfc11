import { resolve } from 'node:path';
import { SecretBox, VERSION } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import { type DatabaseSnapshot, isKeyOfSecrets, withConnection, withSnapshot } from '../../kernel/database';
import { hasCluster } from '../../appliance/embedded-postgres';
import { DataDir } from '../../data-dir';
import { jobsVersion } from '../../kernel/jobs';
import { checkDatabase } from '../../schema';
import { openDatabase, type StartLog } from '../../start-up';
import { ArchiveWriter } from './archive/archive-writer';
import { type End, END, HEADER, headerOf, TABLES } from './archive/format';
import { BackupError } from './backup-error';
import { packFiles } from './files/pack-files';

/** The contents of a backup. */
export interface WrittenBackup {
  readonly file: string;
  /** The newest migration of the database. */
  readonly schema: string;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** The number of files, folders and links of sandboxes that are missing or incomplete in it. */
  readonly left_out: number;
}

/**
 * Writes everything of an installation to one file, encrypted with a passphrase: the database at one moment, and then what
 * `DATA_DIR` has for sandboxes. The service may run meanwhile. Changes and makes nothing else; the schema may be of another
 * build.
 * @throws BackupError, StartError; then there is no file
 */
export async function writeBackup(
  settings: Settings,
  path: string,
  passphrase: string,
  log: StartLog,
): Promise<WrittenBackup> {
  const dataDir = await DataDir.existing(settings.DATA_DIR);
  if (settings.DATABASE_URL === undefined && !(await hasCluster(dataDir.path)))
    throw new BackupError(
      `There is nothing to back up: DATA_DIR ${dataDir.path} has no embedded database, and DATABASE_URL is not set.`,
    );
  const secretKey = settings.SECRET_KEY ?? (await dataDir.knownSecretKey());
  if (secretKey === null)
    throw new BackupError(
      `DATA_DIR ${dataDir.path} has no ${DataDir.SECRET_KEY}, with which the secrets in the database are encrypted. Put it back, or set SECRET_KEY to what was in it.`,
    );
  const database = await openDatabase(settings, 'command', { log });
  try {
    const { DATABASE_URL: url = database.url, DATABASE_DIRECT_URL: directUrl } = settings;
    await checkDatabase({ url, directUrl }, { warn: () => undefined });
    return await withConnection(database.url, async (client) => {
      const writer = await ArchiveWriter.create(path, passphrase);
      try {
        const { header, end } = await withSnapshot(client, async (snapshot) => {
          if (!snapshot.tables.some(({ name }) => name === 'schema_migrations'))
            throw new BackupError('There is nothing to back up: the database has no tables of the service.');
          if (!(await isKeyOfSecrets(client, new SecretBox([secretKey, ...settings.SECRET_KEYS_OLD]))))
            throw new BackupError(
              'SECRET_KEY is not the key that the secrets in this database are encrypted with.',
            );
          return writeDatabase(writer, snapshot, secretKey);
        });
        const { files, leftOut, example } = await packFiles(writer, dataDir.path, DataDir.KEPT);
        if (leftOut > 0)
          log.warn(
            `The backup is without ${leftOut} files, folders or links of sandboxes that cannot be read or kept, or without parts of them, such as ${JSON.stringify(example)}.`,
          );
        await writer.add(END, JSON.stringify({ ...end, files } satisfies End));
        await writer.end();
        return {
          file: resolve(path),
          schema: header.migrations.at(-1) ?? '',
          tables: header.tables.length,
          rows: Object.values(end.rows).reduce((sum, rows) => sum + rows, 0),
          files,
          left_out: leftOut,
        };
      } catch (error) {
        throw (await writer.abort()) ?? error;
      }
    });
  } finally {
    await database.stop();
  }
}

async function writeDatabase(writer: ArchiveWriter, snapshot: DatabaseSnapshot, secretKey: string) {
  const header = headerOf({
    made_at: new Date().toISOString(),
    version: VERSION,
    secret_key: secretKey,
    migrations: await snapshot.migrations(),
    extension_migrations: await snapshot.extensionMigrations(),
    jobs_version: await jobsVersion(snapshot.client),
    tables: [...snapshot.tables],
  });
  await writer.add(HEADER, JSON.stringify(header));
  const rows: Record<string, number> = {};
  for (const table of snapshot.tables) {
    const { text, rows: count } = await snapshot.copy(table);
    await writer.addInParts(TABLES + table.name, text);
    rows[table.name] = count();
  }
  return { header, end: { rows, sequences: await snapshot.sequences() } };
}
