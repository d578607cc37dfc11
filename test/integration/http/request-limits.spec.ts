import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { Logger } from '@nestjs/common';
import { AuthCaches, CredentialVerifier } from '../../../src/kernel/auth';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { digestOf } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg } from '../../support/service/factories';
import { type CallOptions, type HttpResponse, call, type ErrorBody } from '../../support/service/http';

const READ = '/api/keys/current';
const LIMITS = {
  APP_ROLE: 'api',
  READ_CALLS_PER_MINUTE: '5',
  LIFECYCLE_CALLS_PER_MINUTE: '3',
  FAILED_CREDENTIALS_PER_MINUTE: '4',
  PUBLIC_CALLS_PER_MINUTE: '3',
  SEND_CALLS_PER_MINUTE: '2',
  WEBHOOK_CALLS_PER_MINUTE: '2',
};

async function statuses(times: number, once: () => Promise<HttpResponse>): Promise<number[]> {
  const found: number[] = [];
  for (let call = 0; call < times; call++) found.push((await once()).status);
  return found;
}

describe('the limits of requests', () => {
  let app: TestApp;
  let agent: Agent;
  let addresses = 0;
  beforeAll(async () => (app = await startTestApp({ env: LIMITS })));
  afterAll(() => app.close());
  // What is counted for an address is not counted for that of the next test.
  beforeEach(() => (agent = new Agent({ keepAlive: true, localAddress: `127.0.1.${(addresses += 1)}` })));
  afterEach(() => agent.destroy());

  const newCaller = async () => makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
  const ask = <Body>(method: string, path: string, options: CallOptions = {}) =>
    call<Body>(app, method, path, { agent, ...options });

  it('are shown in headers, and beyond them there is a 429 with Retry-After', async () => {
    const { key } = await newCaller();
    const { headers } = await ask('GET', READ, { key });
    expect(headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '4' });
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(50);
    expect(await statuses(4, () => ask('GET', READ, { key }))).toEqual([200, 200, 200, 200]);
    const refused = await ask<ErrorBody>('GET', READ, { key });
    expect([refused.status, refused.body.code]).toEqual([429, 'request_limit_reached']);
    expect(refused.headers).toMatchObject({
      'retry-after': refused.headers['ratelimit-reset'],
      'ratelimit-remaining': '0',
    });
  });

  it('are those of one key and one bucket', async () => {
    const { key, userId } = await newCaller();
    expect((await statuses(6, () => ask('GET', READ, { key }))).at(-1)).toBe(429);
    const other = await makeKey(app.db, userId);
    expect((await ask('GET', READ, { key: other.key })).status).toBe(200);
    const made = () => ask('POST', '/api/keys', { key, body: { name: 'ci' } });
    expect(await statuses(4, made)).toEqual([200, 200, 200, 429]);
  });

  it('are those of a user, too: three times those of a key, however many keys there are', async () => {
    const { key, userId } = await newCaller();
    const keys = [key];
    for (let n = 0; n < 4; n++) keys.push((await makeKey(app.db, userId)).key);
    const read = (of = '') => ask('GET', READ, { key: of });
    // What is refused to a key is not counted for its user.
    for (const one of keys.slice(0, 3)) await statuses(one === key ? 8 : 4, () => read(one));
    expect((await read(keys[3])).headers).toMatchObject({
      'ratelimit-limit': '15',
      'ratelimit-remaining': '1',
    });
    expect((await read(keys[3])).status).toBe(200);
    const refused = await read(keys[4]);
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '15', 'ratelimit-remaining': '0' });
    expect([refused.status, refused.headers['retry-after']]).toEqual([
      429,
      refused.headers['ratelimit-reset'],
    ]);
    expect((await read((await newCaller()).key)).status).toBe(200);
  });

  it('count messages that are sent and queued together, apart from other changes', async () => {
    const { key } = await newCaller();
    const paths = [`/api/v1/app-conversations/${randomUUID()}/send-message`];
    paths.push('/api/v1/conversations/one-to-come/pending-messages', ...paths);
    const found: number[] = [];
    for (const path of paths) {
      const body = { content: [{ type: 'text', text: 'Hello' }] };
      found.push((await ask('POST', path, { key, body })).status);
    }
    expect(found).toEqual([404, 200, 429]);
    expect((await ask('POST', '/api/keys', { key, body: {} })).status).toBe(200);
  });

  it('of what agent servers report are those of one sandbox', async () => {
    const { userId, orgId } = await newCaller();
    const sandbox = async (): Promise<() => Promise<HttpResponse>> => {
      const key = randomUUID();
      await app.db.query(
        `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, session_key_digest, last_activity_at)
         VALUES ($1, $2, $3, 'process', 'RUNNING', $4, now())`,
        [randomUUID(), orgId, userId, digestOf(key)],
      );
      const headers = { 'X-Session-API-Key': key };
      return () => ask('POST', `/api/v1/webhooks/events/${randomUUID()}`, { headers, body: [] });
    };
    const [one, other] = [await sandbox(), await sandbox()];
    const [first, second, third] = await statuses(3, one);
    expect([first === 429, second === 429, third]).toEqual([false, false, 429]);
    expect((await other()).status).toBe(first);
  });

  it('come before the body: it is not asked for', async () => {
    const { key } = await newCaller();
    await statuses(3, () => ask('POST', '/api/keys', { key, body: {} }));
    const outcome = await new Promise((resolve, reject) => {
      const headers = { 'X-Access-Token': key, 'Content-Length': 2, Expect: '100-continue' };
      const outgoing = request(`${app.url}/api/keys`, { method: 'POST', headers, agent: false });
      outgoing.on('continue', () => resolve('asked for the body')).on('error', reject);
      outgoing.on('response', (incoming) => {
        resolve(incoming.statusCode);
        outgoing.destroy();
      });
      outgoing.flushHeaders();
    });
    expect(outcome).toBe(429);
  });

  it('of credentials that do not work refuse an address, but not a key that works', async () => {
    const { key } = await newCaller();
    const failing = () => ask<ErrorBody>('GET', READ, { key: newKey() });
    expect(await statuses(5, failing)).toEqual([401, 401, 401, 401, 429]);
    const refused = await failing();
    expect(refused.body.code).toBe('too_many_failed_credentials');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const flood = Promise.all(Array.from({ length: 20 }, failing));
    expect((await ask('GET', READ, { key })).status).toBe(200);
    for (const { status } of await flood) expect(status).toBe(429);
  });

  it('of credentials that do not work refuse one that was tried before without asking the database', async () => {
    const wrong = newKey();
    const failing = () => ask<ErrorBody>('GET', READ, { key: wrong });
    expect(await statuses(5, failing)).toEqual([401, 401, 401, 401, 429]);
    app.app.get(AuthCaches).clear();
    await app.db.transaction(async (transaction) => {
      await transaction.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
      expect((await failing()).status).toBe(429);
    });
  });

  it('of credentials that do not work look up few of a flood, and at once a key that has worked', async () => {
    const { key } = await newCaller();
    const mine = () => ask('GET', READ, { key });
    expect((await mine()).status).toBe(200);
    const failing = () => ask('GET', READ, { key: newKey() });
    expect(await statuses(4, failing)).toEqual([401, 401, 401, 401]);
    const verifier = app.app.get(CredentialVerifier);
    const original = verifier.verify.bind(verifier);
    let open: () => void = () => undefined;
    // Stands for a database that takes its time.
    const gate = new Promise<void>((resolve) => (open = resolve));
    const verify = jest.spyOn(verifier, 'verify').mockImplementation(async (sent, headers) => {
      if (sent !== key) await gate;
      return original(sent, headers);
    });
    let refused = 0;
    const flood = Array.from({ length: 100 }, async () => {
      expect((await failing()).status).toBe(429);
      refused++;
    });
    // One is looked up, and 32 wait.
    await eventually(() => expect(refused).toBe(100 - 33));
    app.app.get(AuthCaches).clear();
    expect((await mine()).status).toBe(200);
    expect(verify).toHaveBeenCalledTimes(2);
    open();
    await Promise.all(flood);
    expect(verify).toHaveBeenCalledTimes(33 + 1);
    verify.mockRestore();
  });

  it('of pages that need no key are those of an address', async () => {
    const page = () => ask('GET', '/api/organizations/members/invite/accept?token=unknown');
    expect((await statuses(4, page)).at(-1)).toBe(429);
  });

  it('are 600 for probes of an address, and off for /alive', async () => {
    for (const path of ['/alive', '/ready', '/health', '/metrics'])
      expect(await statuses(8, () => ask('GET', path))).toEqual(Array<number>(8).fill(200));
    expect((await ask('GET', '/ready')).headers['ratelimit-limit']).toBe('600');
    expect((await ask('GET', '/alive')).headers).not.toHaveProperty('ratelimit-limit');
  });

  it('do not believe X-Forwarded-For', async () => {
    let hop = 0;
    const failing = () => ask('GET', READ, { headers: { 'X-Forwarded-For': `198.51.100.${(hop += 1)}` } });
    expect((await statuses(5, failing)).at(-1)).toBe(429);
  });
});

describe('the limits of requests, while counts cannot be shared', () => {
  it('hold', async () => {
    const app = await startTestApp({ env: LIMITS });
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await app.db.query('DROP TABLE request_counts');
    expect((await statuses(3, () => call(app, 'GET', READ, { key }))).at(-1)).toBe(200);
    await eventually(() => expect(warn).toHaveBeenCalledTimes(1));
    expect((await statuses(3, () => call(app, 'GET', READ, { key }))).at(-1)).toBe(429);
    warn.mockRestore();
    await app.close();
  });
});

describe('the limits of requests, set to 0', () => {
  it('are off', async () => {
    const app = await startTestApp({ env: { APP_ROLE: 'api', READ_CALLS_PER_MINUTE: '0' } });
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id);
    expect((await call(app, 'GET', READ, { key })).headers).not.toHaveProperty('ratelimit-limit');
    await app.close();
  });
});

describe('behind one trusted reverse proxy', () => {
  it('the last address of X-Forwarded-For is limited, by the first 64 bits of IPv6', async () => {
    const app = await startTestApp({ env: { ...LIMITS, TRUSTED_HOPS: '1' } });
    const from = (addresses: string) => () =>
      call(app, 'GET', READ, { headers: { 'X-Forwarded-For': addresses } });
    expect((await statuses(5, from('198.51.100.1, 203.0.113.9'))).at(-1)).toBe(429);
    expect((await from('198.51.100.1, 203.0.113.10')()).status).toBe(401);
    expect((await from('198.51.100.2, 203.0.113.9')()).status).toBe(429);
    expect((await statuses(5, from('2001:db8::1'))).at(-1)).toBe(429);
    expect((await from('2001:db8::ffff')()).status).toBe(429);
    expect((await from('2001:db8:0:1::1')()).status).toBe(401);
    await app.close();
  });
});

describe('two replicas', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  it('share what they count within seconds', async () => {
    const env = { APP_ROLE: 'api', READ_CALLS_PER_MINUTE: '500' };
    const [first, second] = [await startTestApp({ env, database }), await startTestApp({ env, database })];
    const { key } = await makeCaller(first.db, (await makeOrg(first.db)).id);
    await statuses(500, () => call(first, 'GET', READ, { key }));
    let answered = 0;
    await eventually(async () => {
      const { status } = await call(second, 'GET', READ, { key });
      if (status === 200) answered += 1;
      expect(status).toBe(429);
    });
    expect(answered).toBeLessThan(400);
    await Promise.all([first.close(), second.close()]);
  });
});
