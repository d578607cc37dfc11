import { newKey } from '../../../src/api-keys/keys/key-format';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { ExtensionFiles } from '../../support/service/extension-files';
import { ServiceProcess } from '../../support/service/service-process';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy';

const STACK = '\n    at ';

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

  it('says so in the log when a part of an extension fails, and ends with exit code 1', async () => {
    const module = `class Acme { onModuleDestroy() { throw new Error('a wheel came off'); } }`;
    const file = await files.add('acme.js', `{ name: 'acme', modules: [${module}] }`);
    const failing = await start({ EXTENSIONS: file });
    expect(await failing.stop()).toBe(1);
    expect(failing.errors).not.toContain(STACK);
    expect(failing.output).toContain('The service ends without having stopped everything.');
    expect(failing.output).toContain('a wheel came off');
  });

  it('stops all else while its database is away, and says what it could not look up', async () => {
    const cutOff = await start();
    await proxy.cut();
    expect(await cutOff.stop()).toBe(0);
    expect(cutOff.errors).not.toContain(STACK);
    expect(cutOff.output).toContain('could not be looked up and may run on');
  });
});
