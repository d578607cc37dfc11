import { filled, operationsOf } from './operations';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../support/service/factories';
import { call } from '../support/service/http';
import { FROM_OWN_PAGE, startSession } from '../support/web-interface/browser-cookie';

let app: TestApp;
let owner: TestCaller;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api', PROBE_CALLS_PER_MINUTE: '20' } });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
});
afterAll(() => app.close());

describe('what needs a credential', () => {
  it.each(['with a key', 'with a session', 'without one'])(
    'is answered so that no cache keeps it, %s',
    async (how) => {
      const closed = operationsOf(app).filter(({ security }) => security.length > 0);
      const statuses = new Set<number>();
      const Cookie = await startSession(app, owner.key);
      const sent: Record<string, Record<string, string>> = {
        'with a key': { 'X-Access-Token': owner.key },
        'with a session': { Cookie, ...FROM_OWN_PAGE },
      };
      const ended = ['revokeApiKey', 'endSession'];
      for (const { title, method, path, operation } of closed) {
        if (ended.includes(String(operation.operationId))) continue;
        // A stream would not end.
        const asked = Reflect.has(operation, 'x-stream') ? 'HEAD' : method;
        const response = await call(app, asked, filled(path, owner.orgId), { headers: sent[how] ?? {} });
        expect([title, response.headers['cache-control']]).toEqual([
          title,
          expect.stringMatching(/^no-store\b/),
        ]);
        statuses.add(response.status);
      }
      const expected = how === 'without one' ? [401] : [200, 400, 404, 422];
      expect([...statuses]).toEqual(expect.arrayContaining(expected));
    },
  );

  it.each(['/api/no-such-path', '/api/keys/%', '/%2f..'])(
    'is so for errors before it is looked at: %s',
    async (path) => {
      expect((await call(app, 'GET', path)).headers['cache-control']).toBe('no-store');
    },
  );
});

describe('what needs none', () => {
  const PATHS = [
    '/ready',
    '/health',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/docs/',
    '/docs/index.html',
    '/docs/swagger-ui-init.js',
    '/docs/swagger-ui.css',
    '/docs/swagger-ui-bundle.js',
  ];

  it('is limited for each address, together', async () => {
    for (let asked = 0; asked < 20; asked++) {
      const { status, headers } = await call(app, 'GET', PATHS[asked % PATHS.length]!);
      expect([status, headers['ratelimit-remaining']]).toEqual([200, String(19 - asked)]);
    }
    for (const path of PATHS) {
      const { status, headers, body } = await call(app, 'GET', path);
      expect([path, status, body]).toMatchObject([path, 429, { code: 'request_limit_reached' }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    for (const path of ['/alive', '/server_info']) expect((await call(app, 'GET', path)).status).toBe(200);
  });

  it('has no other form of the document, which would be made anew each time', async () => {
    for (const path of ['/docs-json', '/docs-yaml']) expect((await call(app, 'GET', path)).status).toBe(404);
  });
});
