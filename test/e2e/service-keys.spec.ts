import { Logger } from '@nestjs/common';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeOrg, makeUser, type TestCaller } from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';

const SERVICE_API_KEY = 'abcdefghijabcdefghijabcdefghijab';

interface Created {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly user_id: string;
  readonly org_id: string;
  readonly expires_at: string;
}

let app: TestApp;
let member: TestCaller;

beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api', SERVICE_API_KEY } });
  member = await makeCaller(app.db, (await makeOrg(app.db)).id);
});
afterAll(() => app.close());

const path = ({ userId, orgId }: { readonly userId: string; readonly orgId: string }) =>
  `/api/service/users/${userId}/orgs/${orgId}/api-keys`;

const create = (
  person: Parameters<typeof path>[0],
  headers: Readonly<Record<string, string>> = { 'X-Service-API-Key': SERVICE_API_KEY },
  server = app,
) => call<Created & ErrorBody>(server, 'POST', path(person), { headers, body: { name: 'automation' } });

describe('POST /api/service/users/{user_id}/orgs/{org_id}/api-keys', () => {
  it('gives a key that is the member’s, bound to the organization, and works for a day', async () => {
    const { status, body } = await create(member);
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'automation', user_id: member.userId, org_id: member.orgId });
    const hours = (Date.parse(body.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const current = await call(app, 'GET', '/api/keys/current', { key: body.key });
    expect(current.body).toMatchObject({ user_id: member.userId, bound_org_id: member.orgId, id: body.id });
    const me = await call<{ permissions: string[] }>(app, 'GET', '/api/v1/users/me', { key: body.key });
    expect(me.body.permissions).toContain('view_automations');
    expect(me.body.permissions).not.toContain('manage_automations');
    const own = await call<{ id: number }[]>(app, 'GET', '/api/keys', { key: member.key });
    expect(own.body.map(({ id }) => id)).toContain(body.id);
  });

  it('is a 401 without the key of the service, or with another one, a user’s among them', async () => {
    const others: Record<string, string>[] = [
      {},
      { 'X-Service-API-Key': '' },
      { 'X-Service-API-Key': `${SERVICE_API_KEY}x` },
      { 'X-Service-API-Key': member.key },
      { 'X-Access-Token': member.key },
      { Authorization: `Bearer ${SERVICE_API_KEY}` },
    ];
    for (const headers of others) {
      const { status, body } = await create(member, headers);
      expect([status, body.code, body.key]).toEqual([401, 'not_authenticated', undefined]);
    }
  });

  it('is no key for anything else', async () => {
    const headers = { 'X-Access-Token': SERVICE_API_KEY, 'X-Service-API-Key': SERVICE_API_KEY };
    expect((await call(app, 'GET', '/api/v1/users/me', { headers })).status).toBe(401);
  });

  it('is a 404 for who is no member of the organization: unknown, of another one, disabled', async () => {
    const unknown = 'a8098c1a-f86e-41da-bd1a-00112444be1e';
    const disabled = await makeCaller(app.db, member.orgId);
    await app.db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.userId]);
    const people = [
      { userId: unknown, orgId: member.orgId },
      { userId: member.userId, orgId: unknown },
      { userId: (await makeUser(app.db)).id, orgId: member.orgId },
      { userId: member.userId, orgId: (await makeOrg(app.db)).id },
      disabled,
    ];
    for (const person of people)
      expect(await create(person)).toMatchObject({ status: 404, body: { code: 'no_such_member' } });
  });

  it('ends with the membership', async () => {
    const owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const leaver = await makeCaller(app.db, owner.orgId);
    const { key } = (await create(leaver)).body;
    const members = `/api/organizations/${owner.orgId}/members/${leaver.userId}`;
    expect((await call(app, 'DELETE', members, { key: owner.key })).status).toBe(200);
    expect((await call(app, 'GET', '/api/v1/users/me', { key })).status).toBe(401);
    expect((await create(leaver)).status).toBe(404);
  });

  it('is a 429 beyond 100 keys that work, also at once, and makes room when one expires', async () => {
    const busy = await makeCaller(app.db, member.orgId);
    const all = await Promise.all(Array.from({ length: 104 }, () => create(busy)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(100);
    const refused = all.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 4 }, () => [429, 'too_many_service_keys']),
    );
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(80_000);
    const first = all.find(({ status }) => status === 200)!.body;
    await app.db.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      first.id,
    ]);
    expect((await create(busy)).status).toBe(200);
    const left = await app.db.query<unknown[]>('SELECT 1 FROM api_keys WHERE id = $1', [first.id]);
    expect(left).toEqual([]);
    expect((await call(app, 'GET', '/api/keys/current', { key: busy.key })).status).toBe(200);
  });

  it('takes no room of the member’s own keys', async () => {
    const { userId, key } = await makeCaller(app.db, member.orgId);
    const person = { userId, orgId: member.orgId };
    expect((await create(person)).status).toBe(200);
    await app.db.query(
      `INSERT INTO api_keys (user_id, prefix, digest)
       SELECT $1::uuid, 'ocs_', md5(n::text || $1) || md5(n::text) FROM generate_series(1, 998) n`,
      [userId],
    );
    const make = () => call<ErrorBody>(app, 'POST', '/api/keys', { key, body: { name: 'own' } });
    expect((await make()).status).toBe(200);
    expect(await make()).toMatchObject({ status: 409, body: { code: 'too_many_keys' } });
  });

  it('is recorded and logged, without its text', async () => {
    const log = jest.spyOn(Logger.prototype, 'log');
    const { id, key } = (await create(member)).body;
    const lines = log.mock.calls.filter(([, text]) => text === 'Another service got a key');
    log.mockRestore();
    const { userId: user, orgId: organization } = member;
    expect(lines).toMatchObject([
      [{ user, organization, keyId: id, name: 'automation' }, expect.any(String)],
    ]);
    expect(JSON.stringify(lines)).not.toContain(key);
    const rows = await app.db.query<{ kind: string }[]>(
      `SELECT 1 FROM api_keys WHERE id = $1 AND is_of_service AND name = 'automation'`,
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  it('is turned off without SERVICE_API_KEY', async () => {
    const other = await startTestApp({ env: { APP_ROLE: 'api' }, database: app.database });
    try {
      for (const key of [SERVICE_API_KEY, ''])
        expect(await create(member, { 'X-Service-API-Key': key }, other)).toMatchObject({
          status: 404,
          body: { code: 'service_access_off' },
        });
      expect((await create(member, {}, other)).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});
