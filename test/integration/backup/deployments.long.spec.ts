import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../src/appliance/embedded-postgres';
import { CliProcess } from '../../support/backup/cli-process';
import { contentsOf } from '../../support/backup/database-contents';
import { ask } from '../../support/database/ask';
import { PgBouncer } from '../../support/database/pgbouncer';
import { programPath } from '../../support/replicas/programs';
import { databaseAt, SERVER_URL_VARIABLE, SUPERUSER_URL_VARIABLE } from '../../support/service/test-server';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';

/** A way in which the documents have the database deployed. */
interface Way {
  readonly name: string;
  /** The settings of an installation with a database of its own. */
  readonly settings: () => Promise<Record<string, string>>;
}

describe('a backup of each way of deployment', () => {
  const undo: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  const server = (): string => process.env[SERVER_URL_VARIABLE] ?? '';
  /** The role that made the cluster: that of `compose.yaml` is made so by the image of PostgreSQL. */
  const maker = (): string => process.env[SUPERUSER_URL_VARIABLE] ?? '';

  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'deployment-'));
    undo.push(() => rm(path, { recursive: true, force: true }));
    return path;
  }

  /** @param role the address at which a role is known, which gets a database */
  async function databaseOf(role: string): Promise<string> {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await ask(role, `CREATE DATABASE ${name} TEMPLATE template0`);
    undo.push(async () => {
      await ask(maker(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
    return databaseAt(role, name);
  }

  /** A superuser that did not make the cluster. */
  async function superuser(): Promise<string> {
    const name = `superuser_${randomUUID().replaceAll('-', '')}`;
    await ask(maker(), `CREATE ROLE ${name} SUPERUSER LOGIN PASSWORD 'of-tests'`);
    undo.push(async () => {
      await ask(maker(), `DROP ROLE ${name}`);
    });
    const address = new URL(maker());
    address.username = name;
    address.password = 'of-tests';
    return address.href;
  }

  const atDatabase = async (url: string): Promise<Record<string, string>> => ({
    DATA_DIR: await folder(),
    SECRET_KEY,
    DATABASE_URL: url,
  });

  const EMBEDDED: Way = {
    name: 'the embedded database',
    settings: async () => ({ DATA_DIR: await folder(), SECRET_KEY }),
  };
  const COMPOSE: Way = {
    name: 'the role that made the cluster, as with Compose',
    settings: async () => atDatabase(await databaseOf(maker())),
  };
  const ROLE: Way = {
    name: 'a role that owns its database',
    settings: async () => atDatabase(await databaseOf(server())),
  };
  const SUPERUSER: Way = {
    name: 'a superuser in a cluster of others',
    settings: async () => atDatabase(await databaseOf(await superuser())),
  };
  const POOLER: Way = {
    name: 'PgBouncer in transaction mode, with the address behind it',
    settings: async () => {
      const direct = await databaseOf(server());
      const pooler = await PgBouncer.start(direct, 2);
      undo.push(() => pooler.stop());
      return { ...(await atDatabase(pooler.url)), DATABASE_DIRECT_URL: direct };
    },
  };

  /** Has organizations, keys, and a job that waits. */
  async function fill(env: Record<string, string>): Promise<void> {
    for (const name of ['One', 'Two'])
      await CliProcess.run(['org:create', '--name', name, '--owner-email', `${name}@example.com`], env);
    await inDatabase(env, (url) => ask(url, `SELECT graphile_worker.add_job('a-job', '{"text": "waits"}')`));
  }

  /** Runs a task with the address of the database itself. */
  async function inDatabase<T>(env: Record<string, string>, task: (url: string) => Promise<T>): Promise<T> {
    const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL, DATA_DIR: dataDir = '' } = env;
    if (DATABASE_DIRECT_URL !== undefined) return task(DATABASE_DIRECT_URL);
    const log = { info: () => undefined, warn: () => undefined };
    const embedded = await startEmbeddedPostgres({ dataDir, log });
    try {
      return await task(embedded.url);
    } finally {
      await embedded.stop();
    }
  }

  const WAYS: readonly (readonly [Way, Way])[] = [
    [EMBEDDED, EMBEDDED],
    [COMPOSE, COMPOSE],
    [ROLE, ROLE],
    [SUPERUSER, SUPERUSER],
    [EMBEDDED, COMPOSE],
    [COMPOSE, EMBEDDED],
    ...(programPath('pgbouncer') === undefined && process.env.CI === undefined
      ? []
      : [[POOLER, POOLER] as const]),
  ];

  it.each(WAYS.map(([from, to]) => ({ from, to, title: `${from.name}: restored with ${to.name}` })))(
    '$title has what was there',
    async ({ from, to }) => {
      const file = join(await folder(), 'backup.age');
      const source = await from.settings();
      await fill(source);
      const before = await inDatabase(source, contentsOf);
      expect(Object.keys(before).length).toBeGreaterThan(50);
      await CliProcess.run(['backup', '--to', file], source);

      const target = await to.settings();
      await CliProcess.run(['restore', '--from', file], target);
      expect(await inDatabase(target, contentsOf)).toEqual(before);
    },
  );

  it('is restored after an attempt that failed, by the role that made the cluster', async () => {
    const file = join(await folder(), 'backup.age');
    const source = await COMPOSE.settings();
    await fill(source);
    await CliProcess.run(['backup', '--to', file], source);
    const target = await COMPOSE.settings();
    const wrongKey = { ...target, SECRET_KEY: 'another-secret-key-of-tests-01234567' };
    expect(await CliProcess.failure(['restore', '--from', file], wrongKey)).toMatch(/not the key/);
    await CliProcess.run(['restore', '--from', file], target);
    expect(await inDatabase(target, contentsOf)).toEqual(await inDatabase(source, contentsOf));
    // The system's own schemas are nobody's to clear.
    const [row] = await inDatabase(target, (url) =>
      ask(url, 'SELECT count(*)::int AS n FROM information_schema.sql_features'),
    );
    expect(row?.n).toBeGreaterThan(100);
  });
});
