import { ApiKeysService } from '../../src/accounts/api-keys/api-keys.service';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeOrg } from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';
import { createTestDatabase } from '../support/database/postgres';
import { startTcpProxy } from '../support/service/tcp-proxy';

const A_SENTENCE: unknown = expect.stringMatching(/^[A-Z].*\.$/);
const A_UUID: unknown = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

let app: TestApp;
let key: string;
let logged: unknown[][];
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  ({ key } = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner'));
  logged = [];
  const log = (...args: unknown[]) => void logged.push(args);
  app.app.useLogger({ log, error: log, warn: log });
});
afterAll(() => app.close());
afterEach(() => jest.restoreAllMocks());

describe('an unknown route', () => {
  it.each(['/api', '/api/', '/api/nothing', '/api/keys/1/2', '/api/%zz', '/api/keys%2Fcurrent'])(
    'GET %s is 404 in the shape of all errors, with and without a key',
    async (path) => {
      for (const options of [{}, { key }, { key: 'wrong' }])
        expect(await call(app, 'GET', path, options)).toMatchObject({
          status: 404,
          body: { detail: A_SENTENCE, code: 'path_not_found' },
        });
    },
  );
});

describe('a known path with another method', () => {
  it.each([
    ['PUT', '/api/keys', 'GET, HEAD, POST'],
    ['GET', '/api/keys/1', 'DELETE'],
    ['POST', '/alive', 'GET, HEAD'],
    ['DELETE', '/api/organizations/app', 'GET, HEAD, POST'],
    ['PATCH', '/api/organizations/app', 'GET, HEAD, POST'],
    ['DELETE', '/api/keys/current', 'GET, HEAD'],
    ['GET', '/api/v1/app-conversations/stream-start', 'POST'],
    ['PATCH', '/API/Organizations/app/', 'GET, HEAD, POST'],
    ['DELETE', '/api/v1/sandboxes/search', 'GET, HEAD'],
    ['PATCH', '/api/v1/app-conversations/start-tasks', 'GET, HEAD'],
    ['PATCH', '/api/organizations/7c9e6679-7425-40de-944b-e07fc1f90ae7/members/invite', 'GET, HEAD, POST'],
  ])('%s %s is 405 and says which there are', async (method, path, allow) => {
    const response = await call<ErrorBody>(app, method, path);
    expect([response.status, response.body.code]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.allow).toBe(allow);
  });
});

describe('X-Request-Id', () => {
  const answered = async (given: string | undefined, path = '/alive') =>
    (await call(app, 'GET', path, { headers: given === undefined ? {} : { 'X-Request-Id': given } })).headers[
      'x-request-id'
    ];

  it('is given to every response, errors included', async () => {
    for (const path of ['/alive', '/nothing', '/api/keys', '/docs'])
      expect(await answered(undefined, path)).toEqual(A_UUID);
  });

  it('is taken over when it is acceptable, and replaced when it is not', async () => {
    expect(await answered('mine_1.2-3')).toBe('mine_1.2-3');
    for (const refused of ['a b', 'x'.repeat(129), 'a;b', 'ä'])
      expect(await answered(refused)).toEqual(A_UUID);
  });
});

describe('a body that is too large', () => {
  it('is 413, and without a key 401 before a byte of it is read', async () => {
    const raw = JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) });
    expect(await call(app, 'POST', '/api/keys', { key, raw })).toMatchObject({
      status: 413,
      body: { detail: A_SENTENCE, code: 'body_too_large' },
    });
    expect((await call(app, 'POST', '/api/keys', { raw })).status).toBe(401);
  });
});

describe('a request that is not valid', () => {
  it('answers every error, and nothing else', async () => {
    const response = await call<{ detail: unknown[] }>(app, 'POST', '/api/keys', {
      key,
      body: { name: 1, expires_at: true },
    });
    expect(response.status).toBe(422);
    expect(Object.keys(response.body)).toEqual(['detail']);
    expect(response.body.detail).toMatchObject([{ loc: ['body', 'name'] }, { loc: ['body', 'expires_at'] }]);
  });
});

describe('an unexpected failure', () => {
  it('is a 500 with an id that the log has beside the request id, and shows nothing else', async () => {
    const cause = new Error('SELECT secret FROM inside');
    jest.spyOn(app.app.get(ApiKeysService), 'list').mockRejectedValue(cause);
    const headers = { 'X-Request-Id': 'the-request' };
    const response = await call<Record<string, string>>(app, 'GET', '/api/keys', { key, headers });
    expect(response.status).toBe(500);
    expect(response.body).toEqual({ detail: A_SENTENCE, code: 'internal_error', error_id: A_UUID });
    const entry = logged
      .flat()
      .find((part) => typeof part === 'object' && part !== null && 'errorId' in part);
    expect(entry).toMatchObject({ errorId: response.body.error_id, requestId: 'the-request', err: cause });
  });
});

describe('a database that is unavailable', () => {
  it('is 503 with Retry-After, and the service is alive', async () => {
    const database = await createTestDatabase();
    const proxy = await startTcpProxy(database.url);
    const cutOff = await startTestApp({
      env: { APP_ROLE: 'api' },
      database: { url: proxy.url, drop: () => database.drop() },
    });
    try {
      const caller = await makeCaller(cutOff.db, (await makeOrg(cutOff.db)).id);
      expect((await call(cutOff, 'GET', '/api/keys', { key: caller.key })).status).toBe(200);
      await proxy.cut();
      const response = await call<ErrorBody>(cutOff, 'GET', '/api/keys', { key: caller.key });
      expect([response.status, response.body.code]).toEqual([503, 'database_unavailable']);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect((await call(cutOff, 'GET', '/ready')).status).toBe(503);
      expect((await call(cutOff, 'GET', '/alive')).status).toBe(200);
    } finally {
      await cutOff.close();
      await database.drop();
    }
  });
});
