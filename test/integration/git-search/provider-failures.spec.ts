import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { ProviderDouble, type ProviderFailure } from '../../support/git/provider-double';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { freePort } from '../../support/service/free-port';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';

const TOKEN = 'the-token-that-nobody-may-see';
const PROVIDERS = ['github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops'] as const;

let double: ProviderDouble;
let stranger: ProviderDouble;
let database: TestDatabase;
let db: DataSource;
let dataDir: string;
let service: ServiceProcess;
let url: string;
let closedPort: number;

beforeAll(async () => {
  [double, stranger] = [await ProviderDouble.start(), await ProviderDouble.start()];
  database = await createTestDatabase();
  db = await createDataSource(database.url, 2).initialize();
  dataDir = await mkdtemp(join(tmpdir(), 'git-search-'));
  closedPort = await freePort();
  service = ServiceProcess.start({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_ROLE: 'api',
    LOG_LEVEL: 'trace',
    SECRET_KEY: 'a secret that only this test knows, 0123456789',
    GIT_ALLOWED_HOSTS: [double.host, stranger.host, `127.0.0.1:${closedPort}`].join(),
  });
  url = new URL(await service.ready).origin;
});
afterAll(async () => {
  await service.discard();
  await db.destroy();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
  await double.close();
  await stranger.close();
});
beforeEach(() => {
  double.failure = null;
  double.requests.length = 0;
  double.tokens.set(TOKEN, { repositories: ['acme/web'], branches: ['main'] });
});

/** A caller with a credential. */
async function callerWith(provider: string, address = `${double.origin}/acme`): Promise<string> {
  const { key } = await makeCaller(db, (await makeOrg(db)).id);
  const body = { url_prefix: address, username: 'bot', password: TOKEN, git_provider: provider };
  expect((await call({ url }, 'POST', '/api/v1/git/credentials', { key, body })).status).toBe(201);
  return key;
}

const search = (key: string, provider: string): Promise<HttpResponse<ErrorBody>> =>
  call<ErrorBody>({ url }, 'GET', `/api/v1/git/repositories/search?provider=${provider}`, { key });

const UNAVAILABLE = [503, 'git_provider_unavailable'] as const;
const FAILED = [503, 'git_provider_failed'] as const;
const REFUSED = [409, 'git_credential_refused'] as const;
const inAnHour = String(Math.floor(Date.now() / 1000) + 900);

const FAILURES: readonly [string, ProviderFailure, readonly [number, string], string | RegExp | null][] = [
  ['refuses the token with 401', { status: 401 }, REFUSED, null],
  ['refuses the token with 403', { status: 403 }, REFUSED, null],
  ['shows a page to sign in', { status: 203, body: '<html>' }, REFUSED, null],
  ['wants fewer calls', { status: 429, headers: { 'Retry-After': '7' } }, UNAVAILABLE, '7'],
  [
    'wants fewer calls, as GitHub says it',
    { status: 403, headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': inAnHour } },
    UNAVAILABLE,
    /^[1-9]\d\d$/,
  ],
  ['wants no calls for a year', { status: 429, headers: { 'Retry-After': '31536000' } }, UNAVAILABLE, '3600'],
  ['fails', { status: 500, body: TOKEN }, UNAVAILABLE, '5'],
  ['is closed for now', { status: 503, headers: { 'Retry-After': 'soon' } }, UNAVAILABLE, '5'],
  ['answers a page', { status: 200, body: `<html>${TOKEN}` }, FAILED, '30'],
  ['answers another JSON', { status: 200, body: `{"token":"${TOKEN}"}` }, FAILED, '30'],
  ['answers with another status', { status: 418, body: TOKEN }, FAILED, '30'],
  ['answers without an end', 'endless', FAILED, '30'],
];

describe.each(PROVIDERS)('a search at %s', (provider) => {
  let key: string;
  beforeAll(async () => {
    key = await callerWith(provider);
  });

  it.each(FAILURES)('says so when it %s', async (_, failure, expected, retryAfter) => {
    double.failure = failure;
    const { status, body, headers } = await search(key, provider);
    expect([status, body.code]).toEqual(expected);
    if (retryAfter === null) expect(headers['retry-after']).toBeUndefined();
    else expect(headers['retry-after']).toEqual(expect.stringMatching(retryAfter));
    expect(JSON.stringify([body, headers])).not.toContain(TOKEN);
  });

  it('does not follow to another host, which gets no token', async () => {
    double.failure = { status: 302, headers: { Location: `${stranger.origin}/api/v3/user/repos` } };
    const { status, body } = await search(key, provider);
    expect([status, body.code]).toEqual(FAILED);
    expect(stranger.requests).toEqual([]);
  });

  it('does not go in circles', async () => {
    double.failure = { status: 302, headers: { Location: '/again' } };
    expect((await search(key, provider)).body.code).toBe('git_provider_failed');
    // Those whose servers may be below a path are asked for one there first.
    expect(double.requests).toHaveLength(['gitlab', 'forgejo'].includes(provider) ? 8 : 4);
  });
});

it('calls no host that may not be called, and says so', async () => {
  for (const [address, reason] of [
    ['https://127.0.0.1/acme', 'not at a public address'],
    ['https://10.0.0.7/acme', 'not at a public address'],
    ['https://[::1]/acme', 'not at a public address'],
    ['http://8.8.8.8/acme', 'port 80 is not allowed'],
    ['https://8.8.8.8:8443/acme', 'port 8443 is not allowed'],
    ['https://nowhere.invalid/acme', 'has no address'],
  ] as const) {
    const { status, body } = await search(await callerWith('gitlab', address), 'gitlab');
    expect([status, body.code]).toEqual([409, 'git_host_refused']);
    expect(body.detail).toContain(reason);
  }
});

it('says when nobody listens there', async () => {
  const { status, body } = await search(
    await callerWith('gitlab', `http://127.0.0.1:${closedPort}/acme`),
    'gitlab',
  );
  expect([status, body.code]).toEqual(UNAVAILABLE);
});

it('runs a few searches of a user at once, and others beside them', async () => {
  const key = await callerWith('gitlab');
  double.failure = 'hangs';
  const gone = new AbortController();
  const waiting = Array.from({ length: 6 }, () =>
    fetch(`${url}/api/v1/git/repositories/search?provider=gitlab`, {
      headers: { 'X-Access-Token': key },
      signal: gone.signal,
    }).catch(() => undefined),
  );
  await eventually(() => expect(double.requests).toHaveLength(6));
  const refused = await search(key, 'gitlab');
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_git_searches']);
  double.failure = null;
  expect((await search(await callerWith('gitlab'), 'gitlab')).status).toBe(200);
  gone.abort();
  await Promise.all(waiting);
  await eventually(async () => expect((await search(key, 'gitlab')).status).toBe(200));
});

it('leaves no token in the log', async () => {
  await eventually(() => expect(service.output).toContain('/api/v1/git/repositories/search'));
  expect(service.output + service.errors).not.toContain(TOKEN);
  expect(service.output + service.errors).not.toContain(Buffer.from(`bot:${TOKEN}`).toString('base64'));
});
