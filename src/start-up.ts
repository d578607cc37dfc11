import type { Installation } from './app.module';
import { SecretBox, type StartError } from './kernel/common';
import type { Settings } from './kernel/config';
import type { Extensions } from './operations/extensions';
import { DataDir } from './data-dir';
import type { DatabaseAddresses } from './kernel/database';
import {
  connectEmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './appliance/embedded-postgres';
import { workerCount } from './workers';

/** Connections that the embedded database takes for one process, and for each of the others that answer requests. */
const CONNECTIONS = 80;
const CONNECTIONS_OF_WORKER = 30;

/** The log of a start. */
export interface StartLog {
  info(message: string): void;
  warn(message: string): void;
}

/** A `command` and another `worker` connect to the embedded database of a service that is already running. */
type Purpose = 'service' | 'worker' | 'command';

/** How an installation is prepared. */
interface Preparation {
  readonly purpose: Purpose;
  readonly extensions: Extensions;
  readonly log: StartLog;
  /** Is called whenever a program of PostgreSQL was started that the preparation then waits for. */
  readonly onSpawn?: () => void;
}

/** Everything the application needs before it can be composed, ready to use. */
export interface Prepared {
  readonly installation: Installation;
  readonly dataDir: DataDir;
  /** Holds `SECRET_KEY` and the keys of `SECRET_KEYS_OLD`. */
  readonly box: SecretBox;
  /** The migrations that this start ran. */
  readonly migrated: string[];
  /** The URL with the role that owns the schema. */
  readonly ownerUrl: string;
  /** Resolves if the embedded database died and cannot be restarted. */
  readonly lost: Promise<StartError>;
  /** Stops the embedded database, if this process runs it. */
  close(): Promise<void>;
}

/**
 * Opens `DATA_DIR`, starts or connects to the database, migrates it, and checks the key for secrets.
 * @throws StartError
 */
export async function prepare(
  settings: Settings,
  { purpose, extensions, log, onSpawn }: Preparation,
): Promise<Prepared> {
  const dataDir = await DataDir.open(settings.DATA_DIR);
  const database = await openDatabase(settings, purpose, { log, ...(onSpawn && { onSpawn }) });
  try {
    const { checkDatabase, prepareSchema } = await import('./schema.ts'); // only now, with all that it imports
    await checkDatabase(database, log);
    await dataDir.forgetRestore();
    const hostId = await dataDir.hostId();
    const secretKey = settings.SECRET_KEY ?? (await dataDir.secretKey());
    const box = new SecretBox([secretKey, ...settings.SECRET_KEYS_OLD]);
    const migrated = await prepareSchema(database, box, extensions.migrating, log);
    return {
      installation: { settings, databaseUrl: database.url, secretKey, hostId, extensions },
      dataDir,
      box,
      migrated,
      ownerUrl: database.migrationUrl ?? database.directUrl ?? database.url,
      lost: database.lost,
      close: () => database.stop(),
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** A database that can be connected to. */
interface Database extends DatabaseAddresses {
  readonly lost: Promise<StartError>;
  stop(): Promise<void>;
}

/**
 * Starts the embedded database, or connects to that of a running service, unless `DATABASE_URL` names one; changes nothing.
 * @param purpose as of {@link prepare}
 * @throws StartError
 */
export async function openDatabase(
  settings: Settings,
  purpose: Purpose,
  launcher: Pick<EmbeddedPostgresOptions, 'log' | 'onSpawn'>,
): Promise<Database> {
  if (settings.DATABASE_URL !== undefined) {
    launcher.log.info('Connecting to the database of DATABASE_URL.');
    const { DATABASE_URL, DATABASE_DIRECT_URL, MIGRATION_DATABASE_URL: migrationUrl } = settings;
    // Commands need sessions for nearly everything, and few connections.
    const addresses =
      purpose !== 'command'
        ? { url: DATABASE_URL, directUrl: DATABASE_DIRECT_URL, migrationUrl }
        : { url: DATABASE_DIRECT_URL ?? DATABASE_URL, migrationUrl };
    return {
      ...addresses,
      lost: new Promise(() => undefined),
      stop: () => Promise.resolve(),
    };
  }
  const open = purpose === 'service' ? startEmbeddedPostgres : connectEmbeddedPostgres;
  const max_connections = String(CONNECTIONS + (workerCount(settings) - 1) * CONNECTIONS_OF_WORKER);
  const mayStart = purpose !== 'worker';
  return open({ mayStart, dataDir: settings.DATA_DIR, settings: { max_connections }, ...launcher });
}
