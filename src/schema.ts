import type { SecretBox } from './common';
import { checkSecretKey, checkVersion, migrate, withConnection } from './database';
import { migrateJobs } from './jobs';

/**
 * Migrates a database to this build's schema, and checks that its secrets can be read.
 * @returns the migrations that this call ran
 * @throws StartError when the server is too old, the schema too new, or the key another one
 */
export async function prepareSchema(
  databaseUrl: string,
  box: SecretBox,
  log: { info(message: string): void },
): Promise<string[]> {
  await withConnection(databaseUrl, checkVersion);
  log.info('Bringing the schema of the database up to date.');
  const migrated = await migrate(databaseUrl, migrateJobs);
  if (migrated.length > 0) log.info(`${migrated.length} migrations ran.`);
  await withConnection(databaseUrl, (client) => checkSecretKey(client, box));
  return migrated;
}
