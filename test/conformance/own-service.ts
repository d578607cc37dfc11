import { join } from 'node:path';
import { newKey } from '../../src/accounts/api-keys/keys/key-format';
import type { DriverFixture, Env } from '../../src/operations/testing';
import { ServiceWithDriver } from '../../src/operations/testing/service-with-driver';
import { ROOT, scriptOf } from '../support/compiled/compiled-sources';
import { ask } from '../support/database/ask';
import { createTestDatabase } from '../support/database/postgres';

/** What a service needs to share a database. */
export interface OwnDatabase {
  readonly env: Env & { readonly DATABASE_URL: string };
  drop(): Promise<void>;
}

/** What runs the service of these sources. */
export function ownProgram(): string[] {
  const { path, execArgv } = scriptOf(join(ROOT, 'src', 'main'));
  return [...execArgv, path];
}

/** A database for the services of one test file. */
export async function makeDatabase(): Promise<OwnDatabase> {
  const { url, drop } = await createTestDatabase();
  // All databases of tests are copies of one.
  await ask(url, 'UPDATE sandbox_installation SET id = gen_random_uuid()');
  const keys = { SECRET_KEY: 'a-secret-key-of-tests-0123456789', BOOTSTRAP_KEY: newKey() };
  return { env: { DATABASE_URL: url, ...keys }, drop };
}

/** A fixture whose services share a database, which goes with it. */
export function withDatabase(fixture: DriverFixture, database: OwnDatabase): DriverFixture {
  return {
    env: { ...database.env, ...fixture.env },
    host: fixture.host,
    kill: (id) => fixture.kill(id),
    runs: (id) => fixture.runs(id),
    remains: (id) => fixture.remains(id),
    address: (id) => fixture.address(id),
    close: async () => {
      try {
        await fixture.close();
      } finally {
        await database.drop();
      }
    },
  };
}

/** Starts a service of these sources. @param fixture as {@link withDatabase} makes it */
export function startOwn(fixture: DriverFixture): Promise<ServiceWithDriver> {
  return ServiceWithDriver.start(fixture, ownProgram());
}
