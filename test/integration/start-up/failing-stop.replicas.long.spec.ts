import { once } from 'node:events';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createDataSource } from '../../../src/kernel/database';
import { postgresProcessesIn } from '../../../src/appliance/embedded-postgres/process-table';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { processesIn } from '../../support/processes-in';
import { ExtensionFiles } from '../../support/service/extension-files';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';
import { CallbackReceiver } from '../../support/webhooks/callback-receiver';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy';

const STACK = '\n    at ';
/** What a stop may take. */
const LIMIT_MS = 5_000;

describe('a service that cannot stop everything', () => {
  let files: ExtensionFiles;
  let database: TestDatabase;
  let proxy: TcpProxy;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    files = await ExtensionFiles.make();
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
  });
  afterEach(() => service?.discard());
  afterAll(async () => {
    await proxy.cut();
    await database.drop();
    await files.remove();
  });

  async function start(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    service = ServiceProcess.start({
      DATA_DIR: await files.dataDir(),
      DATABASE_URL: proxy.url,
      SECRET_KEY: 'a key of the tests: 0123456789abcdef',
      BOOTSTRAP_KEY: newKey(),
      ...env,
    });
    await service.ready;
    return service;
  }

  /** Of the program `embedded` sandboxes run, and PostgreSQL. */
  const leftIn = async (dataDir: string): Promise<unknown[]> => [
    ...(await processesIn(dataDir)),
    ...(await postgresProcessesIn(join(dataDir, 'postgres', 'data')).catch(() => [])),
  ];

  /** Has the service wait for the rest of a request, until the deadline of its stop. */
  async function beginRequest(url: string): Promise<void> {
    const { port, hostname } = new URL(url);
    const half = connect(Number(port), hostname, () => half.write('GET /alive HTTP/1.1\r\nHost: x\r\n'));
    half.on('error', () => undefined);
    await once(half, 'connect');
    // A whole response on a later connection proves that the service has the half request.
    await (await fetch(`http://${hostname}:${port}/alive`)).text();
  }

  it('stops all else, says in the log what failed, and ends with exit code 1', async () => {
    const module = `class Acme { onModuleDestroy() { throw new Error('a wheel came off'); } }`;
    const [dataDir, key] = [await files.dataDir(), newKey()];
    // Sandboxes run as users of their own when the tests run as root.
    await chmod(dirname(dataDir), 0o755);
    await chmod(dataDir, 0o755);
    const failing = await start({
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      BOOTSTRAP_KEY: key,
      SANDBOX_WARM: '1',
      EXTENSIONS: await files.add('acme.js', `{ name: 'acme', modules: [${module}] }`),
    });
    const url = await failing.ready;
    const made = await call<{ id: string }>({ url }, 'POST', '/api/v1/sandboxes', { key });
    await eventually(async () => {
      const path = `/api/v1/sandboxes?id=${made.body.id}`;
      const { body } = await call({ url }, 'GET', path, { key });
      expect(body).toMatchObject([{ status: 'RUNNING' }]);
    });
    // Its agent server, and one that was started ahead.
    await eventually(async () => expect((await processesIn(dataDir)).length).toBeGreaterThan(1));
    // A folder in its place cannot be removed as a file.
    await rm(join(dataDir, 'address'));
    await mkdir(join(dataDir, 'address'));

    expect(await failing.stop()).toBe(1);
    expect(await leftIn(dataDir)).toEqual([]);
    expect(failing.errors).not.toContain(STACK);
    expect(failing.output).toContain('The service ends without having stopped everything.');
    expect(failing.output).toContain('a wheel came off');
    expect(failing.output).toContain('EISDIR');
  });

  it.each([
    {
      at: 'the start of an extension',
      hook: `onApplicationBootstrap() { throw new Error('the wheel does not fit'); }`,
      reason: 'the wheel does not fit',
    },
    { at: 'its last step', hook: '', reason: 'EISDIR' },
  ])('that fails at $at says why, and leaves nothing behind', async ({ hook, reason }) => {
    const module = `class Acme { ${hook} onModuleDestroy() { throw new Error('a wheel came off'); } }`;
    const dataDir = await files.dataDir();
    await chmod(dirname(dataDir), 0o755);
    await chmod(dataDir, 0o755);
    if (hook === '') await mkdir(join(dataDir, 'address'));
    service = ServiceProcess.start({
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      SANDBOX_WARM: '1',
      EXTENSIONS: await files.add('unfit.js', `{ name: 'acme', modules: [${module}] }`),
    });
    expect(await service.ended).toBe(1);
    expect(service.errors).toContain(reason);
    expect(service.output).toContain('Not everything was stopped: ');
    expect(service.output).toContain('a wheel came off');
    expect(await leftIn(dataDir)).toEqual([]);
  });

  it('that fails to start says why, also where it does not come to an end', async () => {
    const module = `class Acme {
      onApplicationBootstrap() { throw new Error('the wheel does not fit'); }
      onModuleDestroy() { return new Promise(() => undefined); }
    }`;
    service = ServiceProcess.start({
      DATA_DIR: await files.dataDir(),
      DATABASE_URL: proxy.url,
      SECRET_KEY: 'a key of the tests: 0123456789abcdef',
      EXTENSIONS: await files.add('endless.js', `{ name: 'acme', modules: [${module}] }`),
    });
    expect(await service.ended).toBe(1);
    expect(service.errors).toContain('the wheel does not fit');
    expect(service.output).toContain(
      'Not everything was stopped: Acme.onModuleDestroy of the extension acme has not ended within 3 s.',
    );
  });

  it('ends in time although a part of it does not come to an end, and says so', async () => {
    const module = 'class Acme { onModuleDestroy() { return new Promise(() => undefined); } }';
    const endless = await start({
      EXTENSIONS: await files.add('endless-stop.js', `{ name: 'acme', modules: [${module}] }`),
    });
    expect(await endless.stop()).toBe(1);
    expect(endless.output).toContain('Acme.onModuleDestroy of the extension acme has not ended within 3 s.');
  });

  it('stops all else while its database is away, and says what it could not look up', async () => {
    const cutOff = await start();
    await proxy.cut();
    expect(await cutOff.stop()).toBe(0);
    expect(cutOff.errors).not.toContain(STACK);
    expect(cutOff.output).toContain('could not be looked up and may run on');
  });

  it('is not cut short by the time in which its process is suspended', async () => {
    await proxy.restore();
    const suspended = await start();
    await beginRequest(await suspended.ready);
    const ended = suspended.stop();
    await eventually(() => expect(suspended.output).toContain('The service is stopping.'));
    suspended.child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, LIMIT_MS + 500));
    suspended.child.kill('SIGCONT');
    expect(await ended).toBe(0);
  });

  it('gives callbacks that do not end back to others, while a request does not end either', async () => {
    const receiver = await CallbackReceiver.start();
    // So long that a lane is due only if it was given back.
    const busy = await start({ WEBHOOK_ALLOWED_HOSTS: receiver.host, JOB_LEASE_SECONDS: '600' });
    const url = await busy.ready;
    receiver.react('/hanging', () => 'hang');
    const db = await createDataSource(database.url, 1).initialize();
    const { id } = await makeOrg(db);
    const { key } = await makeCaller(db, id, 'owner');
    const body = { url: receiver.url('/hanging'), kinds: ['webhook.created'] };
    for (let n = 0; n < 2; n++)
      expect((await call({ url }, 'POST', `/api/organizations/${id}/webhooks`, { key, body })).status).toBe(
        201,
      );
    await eventually(() => expect(receiver.at('/hanging')).not.toEqual([]));
    const leased = () => db.query<unknown[]>('SELECT 1 FROM webhook_lanes WHERE due_at > now()');
    expect(await leased()).not.toEqual([]);
    await beginRequest(url);
    await busy.stop();
    expect(await leased()).toEqual([]);
    await db.destroy();
    await receiver.stop();
  });
});
