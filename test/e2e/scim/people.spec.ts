import { randomUUID } from 'node:crypto';
import { Accounts, GivenRoles } from '../../../src/accounts/orgs';
import { Directory, personCalled } from '../../support/scim/directory';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, makeUser } from '../../support/service/factories';
import { call } from '../../support/service/http';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let app: TestApp;
let directory: Directory;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api', PUBLIC_URL: 'https://conversations.example.com' } });
  directory = await Directory.make(app);
});
afterAll(() => app.close());

const address = (): string => `p-${randomUUID()}@example.com`;

const account = async (email: string) => {
  const [row] = await app.db.query<{ id: string; name: string | null; confined_to_org_id: string | null }[]>(
    'SELECT id, name, confined_to_org_id FROM users WHERE email = $1',
    [email],
  );
  return row;
};

describe('a person whom a directory tells of', () => {
  it('is a member, with an account that works in this organization alone until the address is proved', async () => {
    const email = address();
    const { status, headers, body } = await directory.send(
      'POST',
      '/Users',
      personCalled(email, { externalId: 'x-1', name: { givenName: 'Ada', familyName: 'Byron' } }),
    );
    expect(status).toBe(201);
    const location = `https://conversations.example.com/scim/v2/Users/${body.id}`;
    expect(headers).toMatchObject({ location, etag: body.meta.version });
    expect(headers['content-type']).toMatch(/^application\/scim\+json/);
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
      externalId: 'x-1',
      active: true,
      name: { givenName: 'Ada', familyName: 'Byron' },
      meta: { resourceType: 'User', location },
    });
    expect(await directory.roleOf(email)).toBe('member');
    expect(await account(email)).toMatchObject({
      name: 'Ada Byron',
      confined_to_org_id: directory.orgId,
    });
    expect((await directory.send('GET', `/Users/${body.id}`)).body).toEqual(body);
  });

  it('may be a member already, who keeps role and account', async () => {
    const member = await makeMember(
      app.db,
      directory.orgId,
      'admin',
      await makeUser(app.db, { name: 'Own' }),
    );
    await directory.person(member.email, { displayName: 'Another' });
    expect(await directory.roleOf(member.email)).toBe('admin');
    expect(await account(member.email)).toEqual({ id: member.id, name: 'Own', confined_to_org_id: null });
  });

  it('is nobody who has an account without being a member: 409', async () => {
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const confined = await makeUser(app.db, { confinedToOrgId: (await makeOrg(app.db)).id });
    for (const { email } of [stranger, confined]) {
      const { status, body } = await directory.send('POST', '/Users', personCalled(email));
      expect([status, body.schemas, body.status, body.scimType]).toEqual([409, [ERROR], '409', 'uniqueness']);
      expect(await directory.roleOf(email)).toBeNull();
    }
  });

  it('is anybody of a domain that the organization has verified, who keeps what they have elsewhere', async () => {
    const domain = `${randomUUID()}.example.com`;
    await app.db.query(
      `INSERT INTO identity_domains (org_id, domain, token, verified_at, verified_by) VALUES ($1, $2, 'x', now(), 'operator')`,
      [directory.orgId, domain],
    );
    const elsewhere = await makeOrg(app.db);
    const known = await makeMember(
      app.db,
      elsewhere.id,
      'owner',
      await makeUser(app.db, { email: `known@${domain}`, name: 'Own' }),
    );
    const { key } = await makeKey(app.db, known.id);
    await directory.person(known.email, { displayName: 'Another' });
    await directory.person(`new@${domain}`);
    expect(await directory.roleOf(known.email)).toBe('member');
    expect(await account(known.email)).toEqual({ id: known.id, name: 'Own', confined_to_org_id: null });
    expect((await account(`new@${domain}`))?.confined_to_org_id).toBeNull();
    const { Resources } = await directory.sent(
      'GET',
      `/Users?filter=${encodeURIComponent(`userName eq "${known.email}"`)}`,
    );
    await directory.setActive(Resources[0]?.id ?? '', false);
    const { status } = await call(app, 'GET', `/api/organizations/${elsewhere.id}/me`, { key });
    expect([await directory.roleOf(known.email), status]).toEqual([null, 200]);
    const other = await Directory.make(app);
    expect((await other.send('POST', '/Users', personCalled(known.email))).status).toBe(409);
  });

  it('is nobody new of a domain that another organization has verified: 409', async () => {
    const domain = `${randomUUID()}.example.com`;
    await app.db.query(
      `INSERT INTO identity_domains (org_id, domain, token, verified_at, verified_by) VALUES ($1, $2, 'x', now(), 'operator')`,
      [(await makeOrg(app.db)).id, domain],
    );
    const { status, body } = await directory.send('POST', '/Users', personCalled(`new@${domain}`));
    expect([status, body.scimType, await account(`new@${domain}`)]).toEqual([409, 'uniqueness', undefined]);
    // Nor does anybody learn who has an account there.
    const known = await makeUser(app.db, { email: `known@${domain}` });
    const answer = await directory.send('POST', '/Users', personCalled(known.email));
    expect([answer.status, answer.body]).toEqual([status, body]);
  });

  it('is told of once: a userName in another case and an address that is there are 409', async () => {
    const email = address();
    await directory.person(email);
    for (const person of [personCalled(email.toUpperCase()), personCalled(email, { userName: 'another' })]) {
      const { status, body } = await directory.send('POST', '/Users', person);
      expect([status, body.scimType]).toEqual([409, 'uniqueness']);
    }
    const other = await directory.person(address());
    const renamed = await directory.send('PUT', `/Users/${other.id}`, personCalled(email.toUpperCase()));
    expect([renamed.status, renamed.body.scimType]).toEqual([409, 'uniqueness']);
  });

  it('has the address of an account for good, whatever addresses the directory gives later', async () => {
    const victim = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const email = address();
    const { id } = await directory.person(email);
    await directory.sent('PUT', `/Users/${id}`, personCalled(victim.email));
    expect(await directory.roleOf(victim.email)).toBeNull();
    expect(await directory.roleOf(email)).toBe('member');
  });

  it('keeps the name that they have elsewhere', async () => {
    const email = address();
    const { id } = await directory.person(email, { displayName: 'First' });
    await directory.sent('PUT', `/Users/${id}`, personCalled(email, { displayName: 'Second' }));
    expect((await account(email))?.name).toBe('Second');
    await app.db.query('UPDATE users SET confined_to_org_id = NULL WHERE email = $1', [email]);
    await directory.sent('PUT', `/Users/${id}`, personCalled(email, { displayName: 'Third' }));
    expect((await account(email))?.name).toBe('Second');
  });

  it.each([
    ['no userName', { emails: [{ value: 'a@example.com' }] }, 'invalidValue'],
    ['no address', { userName: 'somebody' }, 'invalidValue'],
    ['no truth value', { userName: 'b@example.com', active: 'perhaps' }, 'invalidValue'],
    ['several names', { userName: 'c@example.com', displayName: ['a', 'b'] }, 'invalidValue'],
    ['too much', { userName: 'd@example.com', title: 'x'.repeat(17_000) }, 'invalidValue'],
    ['a list', [], 'invalidSyntax'],
  ])('with %s is a 400', async (_, person, scimType) => {
    const { status, body } = await directory.send('POST', '/Users', person);
    expect([status, body.scimType]).toEqual([400, scimType]);
  });

  it('is stored without a password, and with extensions that nobody knows', async () => {
    const acme = { 'urn:acme:2.0:User': { badge: '7', 'a b': [1] } };
    const made = await directory.person(address(), {
      ...acme,
      password: 'secret',
      [ENTERPRISE]: { department: 'Tools', manager: '26118915', unknown: 1 },
      favouriteColour: 'green',
      nickName: 'a\u0000b',
    });
    expect(made).toMatchObject({
      ...acme,
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE, 'urn:acme:2.0:User'],
      [ENTERPRISE]: { department: 'Tools', manager: { value: '26118915' } },
      nickName: 'a\uFFFDb',
    });
    expect(JSON.stringify(made)).not.toMatch(/secret|green|unknown/);
  });
});

describe('a person whom a directory switches off', () => {
  it('is no member, keeps their record, and comes back with active: true', async () => {
    const email = address();
    const { id } = await directory.person(email);
    const [off, again] = [await directory.setActive(id, false), await directory.setActive(id, false)];
    expect([off.status, off.body.active, again.status, again.body]).toEqual([200, false, 200, off.body]);
    expect(await directory.roleOf(email)).toBeNull();
    expect(await directory.found(`userName eq "${email}" and active eq false`)).toEqual([email]);
    expect((await directory.setActive(id, true)).body.active).toBe(true);
    expect(await directory.roleOf(email)).toBe('member');
  });

  it('stays off where a PUT says nothing of it', async () => {
    const email = address();
    const { id } = await directory.person(email);
    await directory.setActive(id, false);
    const { active } = await directory.sent(
      'PUT',
      `/Users/${id}`,
      personCalled(email, { active: undefined }),
    );
    expect([active, await directory.roleOf(email)]).toEqual([false, null]);
  });

  it('loses keys of the organization, and all of theirs if they are in no other', async () => {
    const other = await makeOrg(app.db);
    const works = async (key: string): Promise<number> =>
      (await call(app, 'GET', '/api/v1/users/me', { key })).status;
    const single = await makeMember(app.db, directory.orgId);
    const both = await makeMember(app.db, directory.orgId);
    await makeMember(app.db, other.id, 'member', both);
    const keys = {
      single: await makeKey(app.db, single.id),
      bound: await makeKey(app.db, both.id, { orgId: directory.orgId }),
      elsewhere: await makeKey(app.db, both.id, { orgId: other.id }),
    };
    for (const { email } of [single, both])
      await directory.setActive((await directory.person(email)).id, false);
    const statuses = await Promise.all(Object.values(keys).map(({ key }) => works(key)));
    expect(statuses).toEqual([401, 401, 200]);
  });

  it('is not the last owner: 409, and everything stays', async () => {
    const own = await Directory.make(app);
    const { id } = await own.person(own.owner.email);
    const off = await own.setActive(id, false);
    const gone = await own.send('DELETE', `/Users/${id}`);
    expect([off.status, off.body.detail, gone.status]).toEqual([409, expect.stringContaining('owner'), 409]);
    expect((await own.send('GET', `/Users/${id}`)).body.active).toBe(true);
    expect((await call(app, 'GET', '/api/keys/current', { key: own.owner.key })).status).toBe(200);
    await makeMember(app.db, own.orgId, 'owner');
    expect((await own.setActive(id, false)).status).toBe(200);
    expect((await call(app, 'GET', '/api/keys/current', { key: own.owner.key })).status).toBe(401);
  });

  it('is let in again by no invitation, until the organization has no token any more', async () => {
    const own = await Directory.make(app);
    const invite = (email: string) =>
      call<{ successful: { invite_url: string }[]; failed: { code: string }[] }>(
        app,
        'POST',
        `/api/organizations/${own.orgId}/members/invite`,
        { key: own.owner.key, body: { emails: [email] } },
      );
    const member = await makeMember(app.db, own.orgId);
    const { key } = await makeKey(app.db, member.id);
    await makeMember(app.db, (await makeOrg(app.db)).id, 'member', member);
    const { id } = await own.person(member.email);
    await call(app, 'DELETE', `/api/organizations/${own.orgId}/members/${member.id}`, { key: own.owner.key });
    const before = await invite(member.email);
    const [pending] = before.body.successful;
    await own.setActive(id, false);
    expect((await invite(member.email)).body).toMatchObject({
      successful: [],
      failed: [{ code: 'deprovisioned' }],
    });
    const token = new URL(pending?.invite_url ?? '').searchParams.get('token');
    const accept = () =>
      call<{ code: string }>(app, 'POST', '/api/organizations/members/invite/accept', {
        key,
        body: { token },
      });
    const refused = await accept();
    expect([refused.status, refused.body.code]).toEqual([403, 'deprovisioned']);

    const tokens = `/api/organizations/${own.orgId}/scim-tokens`;
    const listed = await call<{ id: string }[]>(app, 'GET', tokens, { key: own.owner.key });
    await call(app, 'DELETE', `${tokens}/${listed.body[0]?.id}`, { key: own.owner.key });
    expect((await invite(member.email)).body.failed).toEqual([]);
  });

  it('is let in again by nothing else: no sign-in that makes members, no command, no new account with the address', async () => {
    const email = address();
    const { id } = await directory.person(email);
    await directory.setActive(id, false);
    const { id: userId = '' } = (await account(email)) ?? {};
    const [accounts, roles] = [app.app.get(Accounts), app.app.get(GivenRoles)];
    const { orgId } = directory;
    const ways = [
      () => app.db.transaction((tx) => accounts.addMember(tx, orgId, userId, 'member')),
      () => app.db.transaction((tx) => roles.give(tx, { orgId, userId }, 'admin')),
      () =>
        app.db.transaction(async (tx) => {
          const made = await accounts.handOver(tx, userId, null);
          await accounts.addMember(tx, orgId, made, 'member');
        }),
    ];
    for (const way of ways) await expect(way()).rejects.toMatchObject({ code: 'deprovisioned', status: 403 });
    expect(await directory.roleOf(email)).toBeNull();
  });

  it('keeps their place at the directory when they prove the address, and once off, is let in by their own will only', async () => {
    const email = address();
    const { id } = await directory.person(email);
    const accounts = app.app.get(Accounts);
    const before = (await account(email))?.id ?? '';
    await app.db.transaction((tx) => accounts.handOver(tx, before, 'Their own name'));
    expect((await directory.sent('GET', `/Users/${id}`)).active).toBe(true);
    expect((await directory.setActive(id, false)).status).toBe(200);
    expect(await directory.roleOf(email)).toBeNull();
    const back = await directory.setActive(id, true);
    expect([back.status, back.body.scimType]).toEqual([409, 'uniqueness']);
    await directory.sent('DELETE', `/Users/${id}`);
    expect((await directory.send('POST', '/Users', personCalled(email))).status).toBe(409);
    expect(await directory.roleOf(email)).toBeNull();
    expect((await account(email))?.confined_to_org_id).toBeNull();
  });
});

describe('a person whom a directory deletes', () => {
  it('is gone, for a second time a 404, and is kept out; told of again, they are new', async () => {
    const email = address();
    const { id } = await directory.person(email, { title: 'Engineer' });
    const statuses = [];
    for (const method of ['DELETE', 'DELETE', 'GET', 'PATCH'])
      statuses.push(
        (
          await directory.send(
            method,
            `/Users/${id}`,
            method === 'PATCH' ? { Operations: [{ op: 'remove', path: 'title' }] } : undefined,
          )
        ).status,
      );
    expect(statuses).toEqual([204, 404, 404, 404]);
    expect(await directory.roleOf(email)).toBeNull();
    expect(await directory.found(`userName eq "${email}"`)).toEqual([]);
    const again = await directory.person(email);
    expect(again.id).not.toBe(id);
    expect([await directory.roleOf(email), Object.keys(again)]).toEqual([
      'member',
      expect.not.arrayContaining(['title']),
    ]);
  });
});
