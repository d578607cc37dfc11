import { randomUUID } from 'node:crypto';
import { NameServer } from '../../support/identity/name-server';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

interface NamedDomain {
  readonly domain: string;
  readonly record_name: string;
  readonly record_value: string;
  readonly verified_at: string | null;
}

let names: NameServer;
let app: TestApp;
let owner: TestCaller;
let domain: string;

beforeAll(async () => {
  names = await NameServer.start();
  app = await startTestApp({ env: { OIDC_DNS_SERVERS: names.address, APP_ROLE: 'api' } });
});
afterAll(async () => {
  await app.close();
  await names.close();
});
beforeEach(async () => {
  names.records.clear();
  names.asked.length = 0;
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
  domain = `${randomUUID()}.example.com`;
});

const path = (of = owner) => `/api/organizations/${of.orgId}/domains`;
const name = (text: string, of = owner) =>
  call<NamedDomain>(app, 'POST', path(of), { key: of.key, body: { domain: text } });
const verify = (text: string, of = owner) => call(app, 'POST', `${path(of)}/${text}/verify`, { key: of.key });

describe('a domain of an organization', () => {
  it('is verified by a TXT record with its token', async () => {
    const { body: named } = await name(` ${domain.toUpperCase()}. `);
    expect(named).toMatchObject({
      domain,
      record_name: `_org-conversation-service.${domain}`,
      record_value: expect.stringMatching(/^[\w-]{32}$/) as unknown,
      verified_at: null,
    });
    expect((await name(domain)).body).toEqual(named);
    expect(await verify(domain)).toMatchObject({ status: 409, body: { code: 'domain_unproven' } });
    names.records.set(named.record_name, ['v=spf1 -all', 'another-token']);
    expect(await verify(domain)).toMatchObject({ status: 409, body: { code: 'domain_unproven' } });
    names.records.set(named.record_name, ['v=spf1 -all', named.record_value]);
    expect(await verify(domain)).toMatchObject({ status: 200, body: { domain, verified_by: 'dns' } });
    expect(names.asked).toContain(named.record_name);
    const { body } = await call<{ items: NamedDomain[] }>(app, 'GET', path(), { key: owner.key });
    expect(body.items).toMatchObject([{ domain, verified_at: expect.any(String) as unknown }]);
  });

  it('is one organization’s alone, that of two at once', async () => {
    const other = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const mine = (await name(domain)).body;
    const theirs = (await name(domain, other)).body;
    expect(theirs.record_value).not.toBe(mine.record_value);
    names.records.set(mine.record_name, [mine.record_value, theirs.record_value]);
    const both = await Promise.all([verify(domain), verify(domain, other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'domain_taken' });
  });

  it('is free for another one after it was removed', async () => {
    const other = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const mine = (await name(domain)).body;
    names.records.set(mine.record_name, [mine.record_value]);
    expect((await verify(domain)).status).toBe(200);
    expect((await call(app, 'DELETE', `${path()}/${domain}`, { key: owner.key })).status).toBe(200);
    expect(await call(app, 'DELETE', `${path()}/${domain}`, { key: owner.key })).toMatchObject({
      status: 404,
      body: { code: 'domain_not_found' },
    });
    const theirs = (await name(domain, other)).body;
    names.records.set(theirs.record_name, [theirs.record_value]);
    expect((await verify(domain, other)).status).toBe(200);
  });

  it('is written as DNS has it', async () => {
    expect((await name('MÜNCHEN.example.com')).body).toMatchObject({ domain: 'xn--mnchen-3ya.example.com' });
  });

  it.each([
    ...[
      'localhost',
      'example',
      '',
      '.',
      '127.0.0.1',
      '[::1]',
      '2130706433',
      'a b.example.com',
      '*.example.com',
    ],
    '-a.example.com',
    'user@example.com',
    'https://example.com',
    `${'a'.repeat(64)}.example.com`,
    'co.uk',
    'github.io',
    'com.',
  ])('is not %j, which is nobody’s own, or none', async (text) => {
    expect(await name(text)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'domain'] }] } });
  });

  it('is not verified where nobody named it', async () => {
    expect(await verify(domain)).toMatchObject({ status: 404, body: { code: 'domain_not_found' } });
    expect(names.asked).toEqual([]);
  });

  it('is one of fifty at most', async () => {
    await app.db.query(
      `INSERT INTO identity_domains (org_id, domain, token) SELECT $1, n || '.example.com', 't' FROM generate_series(1, 49) n`,
      [owner.orgId],
    );
    const all = await Promise.all([name('x.example.com'), name('y.example.com')]);
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('is looked after by owners alone', async () => {
    const admin = await makeCaller(app.db, owner.orgId, 'admin');
    const denied = { status: 403, body: { code: 'permission_denied' } };
    expect(await name(domain, admin)).toMatchObject(denied);
    expect(await verify(domain, admin)).toMatchObject(denied);
    expect(await call(app, 'GET', path(), { key: admin.key })).toMatchObject(denied);
  });
});
