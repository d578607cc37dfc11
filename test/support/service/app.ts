import type { AddressInfo } from 'node:net';
import type { ModuleMetadata } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createApp } from '../../../src/app.setup';
import { readSettings, SANDBOX_DRIVERS } from '../../../src/config';
import { createTestDatabase, type TestDatabase } from '../database/postgres';

/** A running service. */
export interface TestApp {
  readonly app: NestExpressApplication;
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** The service's own pool; what the factories write through. */
  readonly db: DataSource;
  readonly database: TestDatabase;
  /** Ends the service, and removes the database when it was made for this service. */
  close(): Promise<void>;
}

/** What differs from the defaults. */
export interface TestAppOptions {
  /** Settings, by their names in the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** A database that the caller made and drops: for several replicas over one. Default: one of its own. */
  readonly database?: TestDatabase;
  /** Where it listens. Default: a port that is free. */
  readonly port?: number;
  /** Drivers of sandboxes from outside, by name. */
  readonly drivers?: readonly string[];
  /** Modules from outside. */
  readonly extensions?: NonNullable<ModuleMetadata['imports']>;
}

/** Starts the service in this process on a free port. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase());
  const app = await createApp({
    settings: readSettings(
      { LOG_LEVEL: 'silent', SECRET_KEY: 'test', DATABASE_URL: database.url, ...options.env },
      [...SANDBOX_DRIVERS, ...(options.drivers ?? [])],
    ),
    databaseUrl: database.url,
    secretKey: 'test',
    hostId: 'test-host',
    ...(options.extensions !== undefined && { extensions: options.extensions }),
  });
  await app.listen(options.port ?? 0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    db: app.get(DataSource),
    database,
    close: async () => {
      await app.close();
      if (options.database === undefined) await database.drop();
    },
  };
}
