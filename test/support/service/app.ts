import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createApp } from '../../../src/app.setup';
import { readSettings, SANDBOX_DRIVERS } from '../../../src/kernel/config';
import { LogDestination } from '../../../src/kernel/http';
import { type Extension, type ExtensionModule, gatherExtensions } from '../../../src/operations/extensions';
import { createTestDatabase, type TestDatabase } from '../database/postgres';
import { checkResponses } from './declared-responses';

/** What `npm run build` makes of the console. */
const BUILT_CONSOLE = join(__dirname, '..', '..', '..', 'console', 'dist');

/** Its log is printed as what a test prints is, which is shown if the test fails. */
class PrintedLog extends LogDestination {
  override write(line: string): void {
    process.stdout.write(line);
  }
}

/** A running service. */
export interface TestApp {
  readonly app: NestExpressApplication;
  /** Its URL, without a trailing slash. */
  readonly url: string;
  /** The service's own pool, which the factories use. */
  readonly db: DataSource;
  readonly database: TestDatabase;
  /** Stops the service, and drops the database if it was created for this service. */
  close(): Promise<void>;
}

/** Overrides of the defaults. */
export interface TestAppOptions {
  /** Settings, by their names in the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** A database that the caller creates and drops, for several replicas over one. Default: a new one. */
  readonly database?: TestDatabase;
  /** The port to listen on. Default: a free one. */
  readonly port?: number;
  /** Names of the sandbox drivers of extensions. */
  readonly drivers?: readonly string[];
  /** A folder with a web interface; see `makeSmallInterface`. */
  readonly webInterface?: string;
  /** Whether it serves the console, as it is built. */
  readonly hasConsole?: boolean;
  readonly extensions?: readonly (Extension | ExtensionModule)[];
}

/** Starts the service in this process on a free port. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase());
  const extensions = await gatherExtensions(options.extensions ?? [], { ...options.env, EXTENSIONS: '' });
  const app = await createApp({
    settings: readSettings(
      {
        // The cause of a 500 that no test expects is seen in the output.
        LOG_LEVEL: 'error',
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
        DATABASE_URL: database.url,
        // Of this worker alone: its table of nftables is named by it.
        DATA_DIR: join(tmpdir(), 'data'),
        ...options.env,
      },
      [...SANDBOX_DRIVERS, ...extensions.sandboxDrivers, ...(options.drivers ?? [])],
      extensions.settingProblems,
    ),
    databaseUrl: database.url,
    secretKey: 'a-secret-key-of-tests-0123456789',
    hostId: 'test-host',
    ...(options.webInterface !== undefined && {
      webInterface: { version: '0.0.0', folder: options.webInterface },
    }),
    ...(options.hasConsole === true && { consoleFolder: BUILT_CONSOLE }),
    extensions,
    logDestination: new PrintedLog(),
  });
  const close = async (): Promise<void> => {
    await app.close();
    if (options.database === undefined) await database.drop();
  };
  const host = options.env?.HOST ?? '127.0.0.1';
  await app.listen(options.port ?? 0, host).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  checkResponses(app.getHttpServer());
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    url: `http://${host}:${port}`,
    db: app.get(DataSource),
    database,
    close,
  };
}
