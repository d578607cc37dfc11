import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { postgresProcessesIn } from '../../../src/appliance/embedded-postgres/process-table';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { digestOf } from '../../../src/kernel/common';
import { sendTo } from '../../support/agent-server/agent-server-calls';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { eventually } from '../../support/eventually';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { otherNode } from '../../support/service/other-node';
import { ServiceProcess } from '../../support/service/service-process';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

const ONE = 'one-secret-key-0123456789-abcdefgh';
const TWO = 'two-secret-key-0123456789-abcdefgh';
const SERVER = { SECRET_KEY: ONE };

describe('the start of the service', () => {
  let dataDir: string;
  let started: ServiceProcess[];
  let databases: TestDatabase[];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'start-up-'));
    started = [];
    databases = [];
  });

  afterEach(async () => {
    await Promise.all(started.map((service) => service.discard()));
    await Promise.all(databases.map((database) => database.drop()));
    // PostgreSQL of a service that was killed notices it, and ends by itself.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  });

  function start(env: Readonly<Record<string, string>> = {}): ServiceProcess {
    const service = ServiceProcess.start({ DATA_DIR: dataDir, ...env });
    started.push(service);
    return service;
  }

  async function database(make: () => Promise<TestDatabase> = createTestDatabase): Promise<string> {
    const made = await make();
    databases.push(made);
    return made.url;
  }

  it('brings its own database along, and ends it', async () => {
    const service = start();
    const url = await service.ready;
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const folder = join(dataDir, 'postgres', 'data');
    expect((await postgresProcessesIn(folder)).length).toBeGreaterThan(0);
    const before = awakeMs();
    expect(await service.stop('SIGINT')).toBe(0);
    expect(awakeMs() - before).toBeLessThan(timeBound(5_000));
    expect(await postgresProcessesIn(folder)).toEqual([]);
  });

  it('keeps host, secret and first key in files for its owner alone, and never prints them', async () => {
    const service = start();
    await service.ready;
    const texts = await Promise.all(
      ['host-id', 'secret.key', 'owner.key'].map(async (name) => {
        const file = join(dataDir, name);
        expect((await stat(file)).mode & 0o777).toBe(0o600);
        return (await readFile(file, 'utf8')).trim();
      }),
    );
    await service.stop();
    expect(texts[2]).toMatch(/^ocs_/);
    for (const text of texts) expect(service.output + service.errors).not.toContain(text);

    const again = start();
    await again.ready;
    expect(await readFile(join(dataDir, 'secret.key'), 'utf8')).toBe(`${texts[1]}\n`);
    expect(await readFile(join(dataDir, 'owner.key'), 'utf8')).toBe(`${texts[2]}\n`);
  });

  it('uses the key that the operator chose, and writes it nowhere', async () => {
    const url = await database();
    const key = newKey();
    const service = start({ ...SERVER, DATABASE_URL: url, BOOTSTRAP_KEY: key, BOOTSTRAP_ORG: 'Mine' });
    await service.ready;
    const rows = await query(url, 'SELECT digest FROM api_keys');
    expect(rows).toEqual([{ digest: digestOf(key) }]);
    expect(await query(url, 'SELECT name FROM organizations')).toEqual([{ name: 'Mine' }]);
    await expect(stat(join(dataDir, 'owner.key'))).rejects.toThrow('ENOENT');
    expect(service.output).not.toContain(key);
  });

  it('says in one line of its log that Node 20 is out of support', async () => {
    const service = start({ ...SERVER, DATABASE_URL: await database(), ...otherNode('20.19.0') });
    await service.ready;
    const lines = service.output.split('\n').filter((line) => line.includes('out of support'));
    expect(lines).toEqual([expect.stringMatching(/"level":40,.*Node 20\.19\.0 is out of support/)]);
  });

  it('reports every bad setting in a line of its own', async () => {
    const service = start({ PORT: 'many', LOG_LEVEL: 'loud', SANDBOX_DRIVER: 'proces' });
    expect(await service.ended).toBe(1);
    expect(service.errors.trim().split('\n')).toEqual([
      'PORT: must be a number',
      'LOG_LEVEL: must be fatal, error, warn, info, debug, trace or silent',
      'SANDBOX_DRIVER: there is no driver proces; there are embedded, process, docker, kubernetes, external',
    ]);
  });

  it('loads the library of a driver that is chosen only, and says how to install one that is missing', async () => {
    const hook = join(__dirname, '..', '..', 'support', 'service', 'without-driver-libraries.cjs');
    const env = { ...SERVER, DATABASE_URL: await database(), NODE_OPTIONS: `--require ${hook}` };
    const plain = start(env);
    await plain.ready;
    await plain.stop();
    for (const [SANDBOX_DRIVER, sentence] of [
      [
        'docker',
        'The library for container engines is not installed: run `npm install --no-save dockerode@5`.',
      ],
      [
        'kubernetes',
        'The library for Kubernetes is not installed: run `npm install --no-save @kubernetes/client-node@1.4.0`.',
      ],
    ] as const) {
      const service = start({ ...env, SANDBOX_DRIVER, SANDBOX_IMAGE: 'image', SANDBOX_ISOLATION: 'none' });
      expect(await service.ended).toBe(1);
      expect(service.errors).toBe(`${sentence}\n`);
    }
  });

  it('reports every bad marketplace setting in a line of its own, before anything is made', async () => {
    const url = await database(createEmptyDatabase);
    const service = start({
      ...SERVER,
      DATABASE_URL: url,
      GIT_ALLOWED_HOSTS: 'git.example,not a host',
      GIT_CREDENTIALS: '[{"url_prefix":"git.example","org_id":"mine","username":"u","password":"hidden"}]',
      INSTANCE_MARKETPLACES: JSON.stringify([
        { name: 'team', source: 'github:acme/shop', ref: 'main', repo_path: 'a/b' },
        { name: 'team', source: 'ext::sh -c id' },
        { name: '1st', source: 'github:acme/shop', ref: '-x', repo_path: '../x' },
      ]),
    });
    expect(await service.ended).toBe(1);
    const line = (start: string) => expect.stringMatching(new RegExp(`^${start}: .`)) as string;
    expect(service.errors.trim().split('\n')).toEqual([
      line('GIT_ALLOWED_HOSTS'),
      line('GIT_CREDENTIALS.0.url_prefix'),
      line('GIT_CREDENTIALS.0.org_id'),
      'INSTANCE_MARKETPLACES.1.name: the name team is in the list already',
      line('INSTANCE_MARKETPLACES.1.source'),
      ...['name', 'ref', 'repo_path'].map((field) => line(`INSTANCE_MARKETPLACES.2.${field}`)),
    ]);
    expect(service.errors).not.toContain('hidden');
    expect(await query(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });

  it('says that its port is in use, and leaves nothing running', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const service = start({ PORT: String(port) });
    expect(await service.ended).toBe(1);
    expect(service.errors).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop what listens there, or set PORT.\n`,
    );
    other.close();
  });

  it('says in one sentence, without the password, that the database cannot be used', async () => {
    const good = new URL(await database());
    good.password = 'not-this-one';
    const away = 'postgres://user:not-this-one@127.0.0.1:1/service';
    for (const [DATABASE_URL, reason] of [
      [good.href, 'password authentication failed'],
      [away, 'ECONNREFUSED'],
      ['nonsense', 'it is not an address'],
      ['mysql://user:not-this-one@127.0.0.1/service', 'it is not an address like postgres://'],
    ] as const) {
      const service = start({ ...SERVER, DATABASE_URL });
      expect(await service.ended).toBe(1);
      expect(service.errors).toMatch(/^DATABASE_URL: the database at .* cannot be used: /);
      expect(service.errors).toContain(reason);
      expect(service.errors).not.toContain('not-this-one');
      expect(service.errors.trim().split('\n')).toHaveLength(1);
    }
  });

  it('refuses a SECRET_KEY that is not the one in use, and takes a new one that lists the old', async () => {
    const DATABASE_URL = await database();
    const first = start({ DATABASE_URL, SECRET_KEY: ONE });
    await first.ready;
    await first.stop();

    const wrong = start({ DATABASE_URL, SECRET_KEY: TWO });
    expect(await wrong.ended).toBe(1);
    expect(wrong.errors).toMatch(/^SECRET_KEY is not the key/);

    const rotated = start({ DATABASE_URL, SECRET_KEY: TWO, SECRET_KEYS_OLD: ONE });
    await rotated.ready;
    await rotated.stop();
    const later = start({ DATABASE_URL, SECRET_KEY: TWO });
    await later.ready;
  });

  it('stops for a broken secret file rather than making another', async () => {
    const first = start();
    await first.ready;
    await first.stop();
    await writeFile(join(dataDir, 'secret.key'), 'another\n');
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.errors).toMatch(/^SECRET_KEY is not the key/);
  });

  it('lets replicas start together on an empty database: one migrates, one makes the first key', async () => {
    const DATABASE_URL = await database(createEmptyDatabase);
    const replicas = [1, 2].map(() => start({ ...SERVER, DATABASE_URL }));
    await Promise.all(replicas.map((replica) => replica.ready));
    const [counts] = await query(
      DATABASE_URL,
      'SELECT (SELECT count(*)::int FROM organizations) AS organizations, (SELECT count(*)::int FROM api_keys) AS keys',
    );
    expect(counts).toEqual({ organizations: 1, keys: 1 });
  });
});

describe('the stop of the service', () => {
  it('takes less than five seconds though a request never arrives whole; a second signal ends it at once', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'stop-'));
    const made = await createTestDatabase();
    try {
      for (const hurry of [false, true]) {
        const service = ServiceProcess.start({ ...SERVER, DATA_DIR: dataDir, DATABASE_URL: made.url });
        const { port } = new URL(await service.ready);
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write('GET /alive HTTP/1.1\r\nHost: x\r\n'),
        );
        socket.on('error', () => undefined);
        // A whole response on a later connection proves that the service has the half request.
        await new Promise((resolve) => socket.once('connect', resolve));
        await (await fetch(`http://127.0.0.1:${port}/alive`)).text();
        const before = awakeMs();
        const ended = service.stop();
        if (hurry) {
          await eventually(() => expect(service.output).toContain('The service is stopping.'));
          // Two signals at nearly the same time count as one.
          await new Promise((resolve) => setTimeout(resolve, 600));
          service.child.kill('SIGTERM');
        }
        expect(await ended).toBe(hurry ? 130 : 0);
        expect(awakeMs() - before).toBeLessThan(timeBound(hurry ? 2_000 : 5_000));
      }
    } finally {
      await made.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe('the stop of a service that waits for an agent server', () => {
  const key = newKey();
  let dataDir: string;
  let database: TestDatabase;
  let double: AgentServerDouble;
  let service: ServiceProcess;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'stop-'));
    database = await createTestDatabase();
    double = await AgentServerDouble.start();
    service = ServiceProcess.start({
      ...SERVER,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      BOOTSTRAP_KEY: key,
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: double.url,
      AGENT_SERVER_API_KEY: double.target.apiKey,
      LLM_MODEL: 'echo',
    });
  });

  afterAll(async () => {
    await service.discard();
    await double.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('takes less than five seconds, with a message to be sent and a queued one on their way', async () => {
    const url = await service.ready;
    const call = async <HttpResponse>(
      method: string,
      path: string,
      body?: unknown,
    ): Promise<HttpResponse> => {
      const headers = { 'x-access-token': key, 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/v1/${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as HttpResponse;
    };
    interface Task {
      readonly id: string;
      readonly app_conversation_id: string | null;
      readonly status: string;
    }
    const begun = await call<Task>('POST', 'app-conversations', {});
    const id = await eventually(async () => {
      const [task] = await call<[Task]>('GET', `app-conversations/start-tasks?ids=${begun.id}`);
      if (task.app_conversation_id === null) throw new Error(`The task is ${task.status}.`);
      return task.app_conversation_id;
    });
    double.fail({ kind: 'hang', stored: false }, sendTo(id), Infinity);
    const message = { content: [{ type: 'text', text: 'yes' }] };
    const sent = call('POST', `app-conversations/${id}/send-message`, message).catch(() => undefined);
    await call('POST', `conversations/${id}/pending-messages`, message);
    await eventually(() => {
      if (double.arrived(sendTo(id)).length < 2) throw new Error('Not both messages have arrived.');
    });
    const before = awakeMs();
    expect(await service.stop('SIGINT')).toBe(0);
    expect(awakeMs() - before).toBeLessThan(timeBound(5_000));
    await sent;
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
