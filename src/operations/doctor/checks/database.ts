import type { Client } from 'pg';
import { messageOf, SecretBox, StartError } from '../../../kernel/common';
import type { Settings } from '../../../kernel/config';
import {
  type AddressSetting,
  hasSecrets,
  receivesNotifications,
  isKeyOfSecrets,
  mayUseSchema,
  ownsSchema,
  pendingMigrations,
  pendingOfExtension,
  reportOn,
  settingOf,
  withConnection,
  type DatabaseReport,
} from '../../../kernel/database';
import { hasCluster } from '../../../appliance/embedded-postgres';
import { DataDir } from '../../../data-dir';
import { checkDatabase } from '../../../schema';
import { openDatabase } from '../../../start-up';
import type { Extensions } from '../../extensions';
import { checkApplication } from './application';
import { auditLogOf } from './audit-log';
import { fail, failure, type Finding, ok, warn } from '../finding';
import { hasFailed } from '../report';

/** What the connections of one process may add up to. */
const CONNECTIONS = 40;
const SLOW_MS = 20;
const SKEW_MS = 2_000;

/**
 * What is wrong with a server, by what it says of itself.
 * @param migrating the setting with the role that migrates
 */
export function problemsOf(report: DatabaseReport, migrating: AddressSetting = 'DATABASE_URL'): Finding[] {
  const { latencyMs, clockAheadMs, freeConnections } = report;
  const skew = `The clock of the database is ${(Math.abs(clockAheadMs) / 1000).toFixed(1)} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const free = `${freeConnections} connections to the database are free.`;
  return [
    ...(report.isReadOnly
      ? [fail('writing', 'The database is read-only.', 'Let DATABASE_URL lead to the primary server.')]
      : []),
    ...(report.mayMigrate
      ? []
      : [
          fail(
            'rights',
            `The role of ${migrating} may not make tables in its database.`,
            'Make it the owner: ALTER DATABASE … OWNER TO …',
          ),
        ]),
    ...(report.hasTrigrams
      ? []
      : [
          fail(
            'pg_trgm',
            'The server does not have the extension pg_trgm.',
            'Install the contrib modules of PostgreSQL there.',
          ),
        ]),
    ...(latencyMs > SLOW_MS
      ? [
          warn(
            'latency',
            `The database takes ${latencyMs.toFixed(0)} ms for a small statement, of which a request makes several.`,
            'Run the service near the database.',
          ),
        ]
      : []),
    Math.abs(clockAheadMs) > SKEW_MS
      ? warn('clock', skew, 'Synchronize both clocks (NTP): keys and sessions expire by either of them.')
      : ok('clock', 'The clocks of this machine and of the database agree.'),
    freeConnections < CONNECTIONS
      ? warn(
          'connections',
          free,
          `A process uses up to ${CONNECTIONS}: raise max_connections, or the limit of the role, or set up a pooler.`,
        )
      : ok('connections', free),
  ];
}

const HEARD_MS = 3_000;

/** Whether the database can be used as a start would: reachable, new enough, writable, and with the right key. */
export async function checkDatabaseOf(settings: Settings, extensions: Extensions | null): Promise<Finding[]> {
  if (settings.DATABASE_URL === undefined && !(await hasCluster(settings.DATA_DIR)))
    return [ok('database', 'The first start makes the embedded database, in DATA_DIR.')];
  try {
    const log = { info: () => undefined, warn: () => undefined };
    const database = await openDatabase(settings, 'command', { log });
    try {
      const url = settings.DATABASE_URL ?? database.url;
      return await withConnection(url, (client) => examine(client, url, { settings, extensions }));
    } finally {
      await database.stop();
    }
  } catch (error) {
    return [failure('database', messageOf(error))];
  }
}

/** What a start would be made with. */
interface Examined {
  readonly settings: Settings;
  /** Null where one cannot be loaded. */
  readonly extensions: Extensions | null;
}

async function examine(client: Client, url: string, { settings, extensions }: Examined): Promise<Finding[]> {
  const report = await reportOn(client);
  const { DATABASE_DIRECT_URL: directUrl, MIGRATION_DATABASE_URL: migrationUrl } = settings;
  const findings = [
    ok('database', `PostgreSQL ${report.version} answers within ${report.latencyMs.toFixed(1)} ms.`),
  ];
  try {
    findings.push(...(await problemsAndRights(client, report, migrationUrl)));
    await checkDatabase({ url, directUrl, migrationUrl }, { warn: () => undefined });
    const mayMigrate = migrationUrl !== undefined || (await ownsSchema(client));
    const schema = await migrationsOf(directUrl ?? url, extensions, mayMigrate);
    findings.push(schema, await keyOf(client, settings), ...(await auditLogOf(client, settings)));
    // It works with the tables of this build, and with a database that works.
    if (schema.state === 'ok' && extensions !== null && !hasFailed(findings))
      findings.push(...(await checkApplication(settings, url, extensions)));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    findings.push(failure('schema', error.message));
  }
  return [...findings, await notificationsOf(client, url, settings)];
}

/** A role that was given its rights by the owner of the schema needs none to make tables. */
async function problemsAndRights(
  client: Client,
  report: DatabaseReport,
  migrationUrl: string | undefined,
): Promise<Finding[]> {
  if (migrationUrl === undefined)
    return problemsOf({ ...report, mayMigrate: report.mayMigrate || (await mayUseSchema(client)) });
  const { mayMigrate } = await withConnection(migrationUrl, reportOn, 'MIGRATION_DATABASE_URL');
  return problemsOf({ ...report, mayMigrate }, 'MIGRATION_DATABASE_URL');
}

/** @param mayMigrate whether a start can run them */
async function migrationsOf(
  url: string,
  extensions: Extensions | null,
  mayMigrate: boolean,
): Promise<Finding> {
  const pending = await pendingMigrations(url);
  for (const { name, migrations } of extensions?.migrating ?? [])
    pending.push(...(await pendingOfExtension(url, name, migrations)));
  const them = `${pending.length} migration${pending.length === 1 ? '' : 's'}`;
  if (pending.length === 0) return ok('schema', 'The schema is that of this build.');
  return mayMigrate
    ? warn('schema', `The next start runs ${them}.`, 'Back up before it, as docs/upgrading.md says.')
    : fail(
        'schema',
        `The next start needs ${them}, and the role of DATABASE_URL does not own the schema.`,
        'Back up, and run the command migrate with MIGRATION_DATABASE_URL.',
      );
}

async function keyOf(client: Client, settings: Settings): Promise<Finding> {
  if (!(await hasSecrets(client))) return ok('secret key', 'The database has no secrets yet.');
  const { DATA_DIR, SECRET_KEY } = settings;
  const key = SECRET_KEY ?? (await (await DataDir.existing(DATA_DIR)).knownSecretKey());
  if (key === null)
    return fail(
      'secret key',
      `DATA_DIR ${DATA_DIR} has no ${DataDir.SECRET_KEY}, with which the secrets in the database are encrypted.`,
      'Put it back, or set SECRET_KEY to what was in it.',
    );
  return (await isKeyOfSecrets(client, new SecretBox([key, ...settings.SECRET_KEYS_OLD])))
    ? ok('secret key', 'SECRET_KEY is the key that the secrets in the database are encrypted with.')
    : fail(
        'secret key',
        'SECRET_KEY is not the key that the secrets in the database are encrypted with.',
        'Set the right one, or list the earlier one in SECRET_KEYS_OLD.',
      );
}

async function notificationsOf(client: Client, url: string, settings: Settings): Promise<Finding> {
  const directUrl = settings.DATABASE_DIRECT_URL;
  try {
    if (await receivesNotifications(directUrl ?? url, settingOf({ directUrl }), client, HEARD_MS))
      return ok('notifications', 'Notifications of the database arrive.');
    return fail(
      'notifications',
      'Notifications of the database do not arrive: there is a pooler between that keeps no sessions, or another database.',
      'Set DATABASE_DIRECT_URL to the address of the same database at the server itself.',
    );
  } catch (error) {
    return failure('notifications', messageOf(error));
  }
}
