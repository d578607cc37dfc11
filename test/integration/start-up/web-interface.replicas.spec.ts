import { cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { namespaceProblem } from '../../../src/drivers/launch/namespaces';
import { ROOT, scriptOf } from '../../support/compiled/compiled-sources';
import { ask } from '../../support/database/ask';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { freePort } from '../../support/service/free-port';
import { call } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';
import { makeSmallInterface } from '../../support/web-interface/small-interface';

const PREFIXED = 'https://example.com/agents';

/** As a build lies in the image: its interface is beside it, and there are no scripts. */
describe('the start of a build that has a place for the web interface', () => {
  let folder: string;
  let database: TestDatabase;
  let running: ServiceProcess | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'build-'));
    await cp(dirname(scriptOf(join(ROOT, 'src', 'main')).path), join(folder, 'dist'), { recursive: true });
    for (const name of ['node_modules', 'package.json']) await symlink(join(ROOT, name), join(folder, name));
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });
  afterEach(async () => {
    await running?.discard();
    await rm(join(folder, '.cache'), { recursive: true, force: true });
  });

  const install = async (): Promise<void> => {
    const cache = join(folder, '.cache', 'web-interface');
    await mkdir(cache, { recursive: true });
    await rename(await makeSmallInterface(), join(cache, '1.2.3-0123456789ab'));
  };
  const start = (env: Record<string, string> = {}): ServiceProcess =>
    (running = ServiceProcess.startBuild(folder, {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: database.url,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      ...env,
    }));
  /** @returns reads a path of the started service, whatever address it says it has */
  const started = async (env: Record<string, string> = {}) => {
    const port = await freePort();
    await start({ PORT: String(port), ...env }).ready;
    return (path: string) => call<string>({ url: `http://127.0.0.1:${port}` }, 'GET', path);
  };

  it('serves the interface that is installed beside it', async () => {
    await install();
    const read = await started();
    const { status, headers } = await read('/');
    expect([status, headers.location]).toEqual([302, '/login']);
    expect((await read('/assets/app-1a2b.js')).status).toBe(200);
  });

  it('shows a small page with links where none is installed', async () => {
    const read = await started();
    const { status, headers, body } = await read('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of [
      'href="/docs"',
      'href="/openapi.json"',
      'node dist/cli.js key:issue --owner',
      'is not installed',
    ])
      expect(body).toContain(part);
    expect(body).not.toContain('npm run');
    for (const path of ['/docs', '/openapi.json'])
      expect([path, (await read(path)).status]).toEqual([path, 200]);
    expect((await read('/login')).body).toContain('Your key');
    expect((await read('/conversations')).status).toBe(404);
  });

  it('serves none with WEB_UI=off, and says so at /, also below a path', async () => {
    await install();
    const read = await started({ WEB_UI: 'off', PUBLIC_URL: PREFIXED });
    const { status, body } = await read('/');
    expect(status).toBe(200);
    for (const part of ['href="/agents/docs"', 'WEB_UI=off']) expect(body).toContain(part);
    expect(body).not.toContain('installed');
    for (const path of ['/login', '/conversations', '/assets/app-1a2b.js', '/api/automation/health'])
      expect([path, (await read(path)).status]).toEqual([path, 404]);
  });

  it('is refused with a sentence where PUBLIC_URL has a path, before anything is made', async () => {
    await install();
    const empty = await createEmptyDatabase();
    try {
      const service = start({ PUBLIC_URL: PREFIXED, DATABASE_URL: empty.url });
      expect(await service.ended).toBe(1);
      expect(service.errors).toBe(
        'PUBLIC_URL has the path /agents, and the web interface works at the root of an address only: ' +
          'leave the path out, or set WEB_UI=off.\n',
      );
      expect(await ask(empty.url, `SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    } finally {
      await empty.drop();
    }
  });

  (namespaceProblem() === null || process.env.CI !== undefined ? it : it.skip)(
    'is refused where sandboxes would be at a host name of the interface',
    async () => {
      await install();
      const service = start({ SANDBOX_HOST: '0.0.0.0' });
      expect(await service.ended).toBe(1);
      expect(service.errors).toMatch(/^SANDBOX_HOST 0\.0\.0\.0 is at a host name of the service, .*\.\n$/);
    },
  );

  it('takes a PUBLIC_URL with a path where no interface is installed', async () => {
    const read = await started({ PUBLIC_URL: PREFIXED });
    expect((await read('/ready')).status).toBe(200);
  });
});
