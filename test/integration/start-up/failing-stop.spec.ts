import { once } from 'node:events';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { postgresProcessesIn } from '../../../src/database/embedded/process-table';
import { newKey } from '../../../src/api-keys/keys/key-format';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { hasNftables, hasTableOf } from '../../support/agent-server/nftables';
import { eventually } from '../../support/eventually';
import { processesIn } from '../../support/processes-in';
import { ExtensionFiles } from '../../support/service/extension-files';
import { call } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';
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

  it('stops all else, says in the log what failed, and ends with exit code 1', async () => {
    const module = `class Acme { onModuleDestroy() { throw new Error('a wheel came off'); } }`;
    const [dataDir, key] = [await files.dataDir(), newKey()];
    // Sandboxes run as users of their own when the tests run as root.
    await chmod(dirname(dataDir), 0o755);
    await chmod(dataDir, 0o755);
    const failing = await start({
      ...{ DATA_DIR: dataDir, DATABASE_URL: '', BOOTSTRAP_KEY: key, SANDBOX_WARM: '1' },
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
    expect(hasTableOf(dataDir)).toBe(hasNftables);
    // A folder in its place cannot be removed as a file.
    await rm(join(dataDir, 'address'));
    await mkdir(join(dataDir, 'address'));

    expect(await failing.stop()).toBe(1);
    expect(await leftIn(dataDir)).toEqual([]);
    expect(hasTableOf(dataDir)).toBe(false);
    expect(failing.errors).not.toContain(STACK);
    expect(failing.output).toContain('The service ends without having stopped everything.');
    expect(failing.output).toContain('a wheel came off');
    expect(failing.output).toContain('EISDIR');
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
    const { port, hostname } = new URL(await suspended.ready);
    const half = connect(Number(port), hostname, () => half.write('GET /alive HTTP/1.1\r\nHost: x\r\n'));
    half.on('error', () => undefined);
    await once(half, 'connect');
    // A whole response on a later connection proves that the service has the half request, for which its stop waits.
    await (await fetch(`http://${hostname}:${port}/alive`)).text();
    const ended = suspended.stop();
    await eventually(() => expect(suspended.output).toContain('The service is stopping.'));
    suspended.child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, LIMIT_MS + 500));
    suspended.child.kill('SIGCONT');
    expect(await ended).toBe(0);
  });
});
