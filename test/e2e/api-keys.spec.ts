import { get } from 'node:http';
import { isWellFormedKey } from '../../src/accounts/api-keys/keys/key-format';
import { startTestApp, type TestApp } from '../support/service/app';
import { eventually } from '../support/eventually';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';

interface KeyBody {
  id: number;
  name: string | null;
  key?: string;
  created_at: string;
  last_used_at: string | null;
  not_before: string | null;
  expires_at: string | null;
  org_id: string | null;
}

const A_STRING: unknown = expect.any(String);
const A_NUMBER: unknown = expect.any(Number);
const HOUR = 3_600_000;
const inAnHour = () => new Date(Date.now() + HOUR).toISOString();

let app: TestApp;
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => app.close());

const create = (key: string, body: unknown, headers = {}) =>
  call<KeyBody & ErrorBody>(app, 'POST', '/api/keys', { key, body, headers });
const list = async (key: string) => (await call<KeyBody[]>(app, 'GET', '/api/keys', { key })).body;
const current = (key: string, headers = {}) =>
  call<Record<string, unknown>>(app, 'GET', '/api/keys/current', { key, headers });
const revoke = (key: string, id: number | string) =>
  call<ErrorBody>(app, 'DELETE', `/api/keys/${id}`, { key });
const newCaller = async (): Promise<TestCaller> => makeCaller(app.db, (await makeOrg(app.db)).id);

describe('POST /api/keys', () => {
  it('answers a working key once, bound to the effective organization', async () => {
    const caller = await newCaller();
    const { status, body } = await create(caller.key, { name: 'ci' });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: A_NUMBER,
      name: 'ci',
      key: A_STRING,
      created_at: A_STRING,
      last_used_at: null,
      not_before: null,
      expires_at: null,
      org_id: caller.orgId,
      prefix: body.key?.slice(0, 10),
      scopes: null,
      address_ranges: null,
    });
    expect(isWellFormedKey(body.key ?? '')).toBe(true);
    expect((await current(body.key ?? '')).body).toMatchObject({ bound_org_id: caller.orgId });
    expect(JSON.stringify(await list(caller.key))).not.toContain(body.key);
  });

  it('stores its digest only', async () => {
    const caller = await newCaller();
    const { body } = await create(caller.key, {});
    const [row] = await app.db.query<Record<string, unknown>[]>('SELECT * FROM api_keys WHERE id = $1', [
      body.id,
    ]);
    expect(JSON.stringify(row)).not.toContain(body.key);
  });

  it('takes an empty object, a null name and characters that text columns cannot hold', async () => {
    const caller = await newCaller();
    expect((await create(caller.key, {})).body.name).toBeNull();
    expect((await create(caller.key, { name: null })).body.name).toBeNull();
    expect((await create(caller.key, { name: 'a\u0000b\ud800' })).body.name).toBe('a\uFFFDb\uFFFD');
  });

  it('is bound as org_id says: null to nothing, an organization of the caller to that one', async () => {
    const [org, other, foreign] = [await makeOrg(app.db), await makeOrg(app.db), await makeOrg(app.db)];
    const user = await makeMember(app.db, org.id);
    await makeMember(app.db, other.id, 'member', user);
    const { key } = await makeKey(app.db, user.id);
    expect((await create(key, { org_id: null })).body.org_id).toBeNull();
    expect((await create(key, { org_id: other.id.toUpperCase() })).body.org_id).toBe(other.id);
    expect((await create(key, {}, { 'X-Org-Id': other.id })).body.org_id).toBe(other.id);
    expect(await create(key, { org_id: foreign.id })).toMatchObject({
      status: 403,
      body: { code: 'not_a_member' },
    });
  });

  it('refuses times at which the key would never work', async () => {
    const { key } = await newCaller();
    const past = new Date(Date.now() - HOUR).toISOString();
    const soon = inAnHour();
    for (const body of [
      { expires_at: past },
      { expires_at: soon, not_before: soon },
      { expires_at: soon, not_before: new Date(Date.now() + 2 * HOUR).toISOString() },
    ])
      expect(await create(key, body)).toMatchObject({ status: 400, body: { code: 'key_expiry_invalid' } });
    expect(await create(key, { expires_at: soon, not_before: past })).toMatchObject({
      status: 200,
      body: { expires_at: soon, not_before: past },
    });
  });

  it('makes no key that outlives the one that makes it', async () => {
    const { userId } = await newCaller();
    const expiresAt = new Date(Date.now() + HOUR);
    const { key } = await makeKey(app.db, userId, { expiresAt });
    for (const expires_at of [null, new Date(expiresAt.getTime() + 1).toISOString()])
      expect(await create(key, { expires_at })).toMatchObject({
        status: 403,
        body: { code: 'key_outlives_maker' },
      });
    expect((await create(key, { expires_at: expiresAt.toISOString() })).status).toBe(200);
  });

  it('with a bound key makes keys of its organization only', async () => {
    const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const user = await makeMember(app.db, org.id);
    await makeMember(app.db, other.id, 'member', user);
    const { key } = await makeKey(app.db, user.id, { orgId: org.id });
    expect((await create(key, {})).body.org_id).toBe(org.id);
    for (const org_id of [null, other.id])
      expect(await create(key, { org_id })).toMatchObject({
        status: 403,
        body: { code: 'key_bound_to_other_organization' },
      });
  });

  it('of an account whose address is unverified reaches no further than the account', async () => {
    const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const user = await makeUser(app.db, { confinedToOrgId: org.id });
    await makeMember(app.db, org.id, 'member', user);
    await makeMember(app.db, other.id, 'member', user);
    const { key } = await makeKey(app.db, user.id);
    expect((await current(key)).body).toMatchObject({ org_id: org.id, bound_org_id: org.id });
    expect((await current(key, { 'X-Org-Id': other.id })).status).toBe(403);
    expect((await create(key, { org_id: null })).status).toBe(403);
  });

  it('lets nobody pile up more than a thousand, also not at once', async () => {
    const caller = await newCaller();
    await app.db.query(
      `INSERT INTO api_keys (user_id, prefix, digest)
       SELECT $1::uuid, 'ocs_', md5(n || $1::text) || md5(n || 'x' || $1::text) FROM generate_series(1, 998) n`,
      [caller.userId],
    );
    const responses = await Promise.all([create(caller.key, {}), create(caller.key, {})]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('GET /api/keys', () => {
  it('lists own keys in an array, without their texts', async () => {
    const caller = await newCaller();
    const made = await create(caller.key, { name: 'second', expires_at: inAnHour() });
    await newCaller();
    const keys = await list(caller.key);
    const { key: shownOnce, ...without } = made.body;
    expect(JSON.stringify(keys)).not.toContain(shownOnce);
    expect(keys).toEqual([expect.objectContaining({ id: caller.keyId, org_id: null }), without]);
  });

  it('with a bound key lists those of its organization', async () => {
    const caller = await newCaller();
    const bound = await makeKey(app.db, caller.userId, { orgId: caller.orgId });
    expect((await list(bound.key)).map(({ id }) => id)).toEqual([bound.id]);
  });

  it('shows when a key was used last', async () => {
    const caller = await newCaller();
    await list(caller.key);
    await eventually(async () => expect((await list(caller.key))[0]?.last_used_at).not.toBeNull());
  });
});

describe('DELETE /api/keys/{key_id}', () => {
  it('ends the key with its next request', async () => {
    const caller = await newCaller();
    const other = await makeKey(app.db, caller.userId);
    expect((await current(other.key)).status).toBe(200);
    expect(await revoke(caller.key, other.id)).toMatchObject({
      status: 200,
      body: { message: A_STRING },
    });
    expect((await current(other.key)).status).toBe(401);
    expect((await revoke(caller.key, other.id)).status).toBe(404);
  });

  it('knows own keys only, and with a bound key those of its organization', async () => {
    const [caller, outsider] = [await newCaller(), await newCaller()];
    const bound = await makeKey(app.db, caller.userId, { orgId: caller.orgId });
    expect((await revoke(caller.key, outsider.keyId)).status).toBe(404);
    expect((await revoke(bound.key, caller.keyId)).status).toBe(404);
    expect((await revoke(bound.key, bound.id)).status).toBe(200);
  });

  it('is 404 for what is no id, or none that a key can have', async () => {
    const { key } = await newCaller();
    for (const id of ['-1', '1.0', '4294967296', '9'.repeat(30)])
      expect(await revoke(key, id)).toMatchObject({ status: 404, body: { code: 'key_not_found' } });
    // A path of its own, with its own methods.
    expect((await revoke(key, 'current')).status).toBe(405);
  });
});

describe('GET /api/keys/current', () => {
  it('answers the key, its user and the organization it acts in', async () => {
    const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const user = await makeMember(app.db, org.id);
    await makeMember(app.db, other.id, 'member', user);
    const unbound = await makeKey(app.db, user.id, { name: 'mine' });
    expect((await current(unbound.key)).body).toEqual({
      id: unbound.id,
      name: 'mine',
      org_id: org.id,
      bound_org_id: null,
      user_id: user.id,
      user_kind: 'person',
      auth_type: 'api_key',
      identity_provider_id: null,
    });
    expect((await current(unbound.key, { 'X-Org-Id': other.id })).body).toMatchObject({ org_id: other.id });
  });

  it('takes the key from the first header that is there, and from no other', async () => {
    const { key } = await newCaller();
    const status = async (headers: Record<string, string>) =>
      (await call(app, 'GET', '/api/keys/current', { headers })).status;
    expect(await status({ Authorization: `Bearer ${key}` })).toBe(200);
    expect(await status({ 'X-Session-API-Key': key })).toBe(200);
    expect(await status({ 'X-Access-Token': key, Authorization: 'Bearer wrong' })).toBe(200);
    expect(await status({ 'X-Access-Token': 'wrong', Authorization: `Bearer ${key}` })).toBe(401);
    expect(await status({ Authorization: 'Bearer wrong', 'X-Session-API-Key': key })).toBe(401);
  });

  it('takes the first of headers that are repeated', async () => {
    const { key, orgId } = await newCaller();
    const status = (headers: Record<string, string[]>) =>
      new Promise<number | undefined>((resolve, reject) =>
        get(`${app.url}/api/keys/current`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', reject),
      );
    expect(await status({ 'X-Access-Token': [key, 'wrong'], 'X-Org-Id': [orgId, 'none'] })).toBe(200);
    expect(await status({ 'X-Access-Token': ['wrong', key] })).toBe(401);
    expect(await status({ 'X-Access-Token': [key], 'X-Org-Id': ['none', orgId] })).toBe(400);
  });
});
