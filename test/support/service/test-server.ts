import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../../src/kernel/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/appliance/embedded-postgres';
import { SERVICE_ROLE, superuserAddress } from '../../../src/appliance/embedded-postgres/roles';
import { migrateJobs } from '../../../src/kernel/jobs';

/** The variable by which jest's workers find the server. */
export const SERVER_URL_VARIABLE = 'TEST_POSTGRES_URL';

/** Its superuser's: only that may end an autovacuum worker, which a forced drop may have to. */
export const SUPERUSER_URL_VARIABLE = 'TEST_POSTGRES_SUPERUSER_URL';

/** The migrated template database, of which every test database is a copy. */
export const TEMPLATE = 'template_service';

/** Fast rather than durable: no data outlives a test run. */
const FORGETFUL = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
};

/** Stops the server and removes its folder when this process ends, even by Ctrl-C or `kill -9`. */
const WATCHDOG = `
read -r _
pid=$(head -n 1 "$1/postgres/data/postmaster.pid" 2>/dev/null) && kill -INT "$pid"
i=0; while [ -e "$1/postgres/data/postmaster.pid" ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done
rm -rf "$1"
`;

let server: EmbeddedPostgres | undefined;
let folder: string | undefined;

/** Starts the one server of a test run and creates the template. */
export async function startTestServer(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'conversation-service-test-'));
  const watchdog = spawn('sh', ['-c', WATCHDOG, 'watchdog', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  const quiet = { info: () => undefined, warn: (message: string) => console.warn(message) };
  server = await startEmbeddedPostgres({ dataDir: folder, log: quiet, settings: FORGETFUL });
  const superuser = await superuserAddress(join(folder, 'postgres'), server.url);
  await letMakeDatabases(superuser);
  const admin = new Client(server.url);
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${TEMPLATE}`);
    await migrate(databaseAt(server.url, TEMPLATE), migrateJobs);
    await admin.query(`ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`);
  } finally {
    await admin.end();
  }
  process.env[SERVER_URL_VARIABLE] = server.url;
  process.env[SUPERUSER_URL_VARIABLE] = superuser;
}

/** What a test needs beyond what the service's role may do. */
async function letMakeDatabases(superuserUrl: string): Promise<void> {
  const superuser = new Client(superuserUrl);
  await superuser.connect();
  await superuser.query(`ALTER ROLE ${SERVICE_ROLE} CREATEDB`);
  await superuser.end();
}

/** Stops the server; safe to call if it never started. */
export async function stopTestServer(): Promise<void> {
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

/** The same server, another database. */
export function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
