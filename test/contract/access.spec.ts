import { Controller, Get } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Access, type Permission, permissionsOf, PermissionTable, ROLES } from '../../src/kernel/auth';
import { isWellFormedKey, newKey } from '../../src/accounts/api-keys/keys/key-format';
import { DeclaredAccess } from '../../src/kernel/http/guards/declared-access';
import { DeclaredRoutes } from '../../src/kernel/http/guards/declared-routes';
import { DiscoveryModule } from '@nestjs/core';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, makeUser } from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';
import { answerWithin } from '../support/awake-clock';
import { type DocumentedOperation, filled, operationsOf, routesOf } from './operations';

let app: TestApp;
let operations: DocumentedOperation[];
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api', FAILED_CREDENTIALS_PER_MINUTE: '6000' } });
  operations = operationsOf(app);
});
afterAll(() => app.close());

const ofUsers = () => operations.filter(({ security }) => security.includes('X-Access-Token'));
const ofOrgPaths = () => ofUsers().filter(({ organization }) => organization === 'path');
const withOrganization = () => ofUsers().filter(({ organization }) => organization !== 'none');

/** Calls each operation and compares the status and code of the response. */
async function expectAll(
  among: DocumentedOperation[],
  orgId: string,
  options: { key?: string; headers?: Record<string, string> },
  expected: { status: number; code?: string },
): Promise<void> {
  expect(among.length).toBeGreaterThan(0);
  for (const { title, method, path } of among) {
    const response = await call<ErrorBody | null>(app, method, filled(path, orgId), options);
    expect({
      title,
      status: response.status,
      ...(expected.code !== undefined && { code: response.body?.code }),
    }).toEqual({ title, ...expected });
  }
}

function withBrokenChecksum(): string {
  const key = newKey();
  const broken = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  expect(isWellFormedKey(broken)).toBe(false);
  return broken;
}

describe('every operation that is not public', () => {
  const NOT_AUTHENTICATED = { status: 401, code: 'not_authenticated' };
  const closed = () => operations.filter(({ security }) => security.length > 0);

  it('answers 401 without a key, and says how to authenticate', async () => {
    await expectAll(closed(), (await makeOrg(app.db)).id, {}, NOT_AUTHENTICATED);
    const { headers } = await call(app, 'GET', '/api/keys');
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it.each(['X-Access-Token', 'X-Session-API-Key', 'Authorization'])(
    'answers 401 to a key with a wrong checksum in %s',
    async (header) => {
      const key = withBrokenChecksum();
      const headers = { [header]: header === 'Authorization' ? `Bearer ${key}` : key };
      await expectAll(closed(), (await makeOrg(app.db)).id, { headers }, NOT_AUTHENTICATED);
    },
  );

  it('answers 401 to keys that were never made, are revoked, expired, not valid yet, or of disabled users', async () => {
    const { id } = await makeOrg(app.db);
    const { userId, keyId, key } = await makeCaller(app.db, id, 'owner');
    await app.db.query('DELETE FROM api_keys WHERE id = $1', [keyId]);
    const disabled = await makeMember(app.db, id, 'owner', await makeUser(app.db, { disabled: true }));
    for (const refused of [
      key,
      newKey(),
      (await makeKey(app.db, userId, { expiresAt: new Date(Date.now() - 1) })).key,
      (await makeKey(app.db, userId, { notBefore: new Date(Date.now() + 60_000) })).key,
      (await makeKey(app.db, disabled.id)).key,
    ])
      await expectAll(ofUsers(), id, { key: refused }, NOT_AUTHENTICATED);
  });

  it('needs a key, but for the open operations listed here', () => {
    const open = operations.filter(({ security }) => security.length === 0).map(({ title }) => title);
    expect(open.sort()).toEqual([
      'GET /alive',
      'GET /api/organizations/members/invite/accept',
      'GET /health',
      'GET /metrics',
      'GET /ready',
      'GET /server_info',
      'POST /api/keys/report',
      'POST /oauth/device/authorize',
      'POST /oauth/device/token',
    ]);
  });
});

describe('every route', () => {
  it('is an operation of the document, a page for people, or where one sends its forms', () => {
    const documented = new Set(operations.map(({ title }) => title));
    // Directories know their protocol from its own document.
    const undocumented = routesOf(app).filter(
      (route) => !documented.has(route) && !route.includes(' /scim/v2/'),
    );
    expect(undocumented).toEqual([
      'GET /login',
      'POST /login',
      'POST /logout',
      'POST /login/mail',
      'POST /login/code',
      'GET /login/link',
      'POST /login/link',
      'POST /login/provider',
      'GET /login/oidc/{provider}',
      'GET /login/oidc/{provider}/callback',
      'POST /login/oidc/{provider}/backchannel-logout',
      'GET /oauth/device/verify',
      'POST /oauth/device/verify',
      'POST /oauth/device/verify-authenticated',
      'GET /invitations/accept',
      'POST /invitations/accept',
      'GET /',
      'GET /settings',
      'POST /settings',
    ]);
  });
});

describe('every operation of users', () => {
  it('answers 400 to an X-Org-Id that is not an id', async () => {
    const { id } = await makeOrg(app.db);
    const { key } = await makeCaller(app.db, id, 'owner');
    const invalid = { status: 400, code: 'organization_selector_invalid' };
    await expectAll(ofUsers(), id, { key, headers: { 'X-Org-Id': 'no-id' } }, invalid);
  });

  it('answers 403 to a caller who is not a member of the organization, existing or not', async () => {
    const [org, foreign] = [await makeOrg(app.db), await makeOrg(app.db)];
    const { key } = await makeCaller(app.db, org.id, 'owner');
    await expectAll(ofOrgPaths(), foreign.id, { key }, { status: 403, code: 'not_a_member' });
    const effective = withOrganization().filter(({ organization }) => organization !== 'path');
    const options = { key, headers: { 'X-Org-Id': foreign.id } };
    await expectAll(effective, org.id, options, { status: 403, code: 'not_a_member' });
  });

  it('answers 403 to a key that is bound to another organization', async () => {
    const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const user = await makeMember(app.db, org.id, 'owner');
    await makeMember(app.db, other.id, 'owner', user);
    const { key } = await makeKey(app.db, user.id, { orgId: other.id });
    const refused = { status: 403, code: 'key_bound_to_other_organization' };
    await expectAll(ofOrgPaths(), org.id, { key }, refused);
    const effective = withOrganization().filter(({ organization }) => organization !== 'path');
    await expectAll(effective, org.id, { key, headers: { 'X-Org-Id': org.id } }, refused);
  });

  it('answers 400 to an X-Org-Id that contradicts the path', async () => {
    const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const user = await makeMember(app.db, org.id, 'owner');
    await makeMember(app.db, other.id, 'owner', user);
    const { key } = await makeKey(app.db, user.id);
    const options = { key, headers: { 'X-Org-Id': other.id } };
    const contradiction = { status: 400, code: 'organization_selectors_contradict' };
    await expectAll(ofOrgPaths(), org.id, options, contradiction);
  });

  it('answers 404 to a caller who has no current organization and names none', async () => {
    const { key } = await makeKey(app.db, (await makeUser(app.db)).id);
    const effective = withOrganization().filter(({ organization }) => organization !== 'path');
    const expected = { status: 404, code: 'current_organization_not_found' };
    await expectAll(effective, '', { key }, expected);
  });

  it('answers 422 to a malformed organization id in its path, before membership is checked', async () => {
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id);
    await expectAll(ofOrgPaths(), 'no-id', { key }, { status: 422 });
  });

  it.each(ROLES)('lets a %s pass where their role holds the permission, and nowhere else', async (role) => {
    const { id } = await makeOrg(app.db);
    const { key } = await makeCaller(app.db, id, role);
    const held: readonly Permission[] = permissionsOf(role);
    const lacking = withOrganization().filter(
      ({ permission }) => typeof permission === 'string' && !held.includes(permission as Permission),
    );
    if (role !== 'owner') await expectAll(lacking, id, { key }, { status: 403, code: 'permission_denied' });
    const reads = withOrganization().filter(
      ({ method, permission }) => method === 'GET' && held.includes(permission as Permission),
    );
    for (const { title, path, operation } of reads.filter(({ path: p }) => !/\{(?!org_id)/.test(p))) {
      // A stream would not end.
      const method = Reflect.has(operation, 'x-stream') ? 'HEAD' : 'GET';
      expect([title, (await call(app, method, filled(path, id), { key })).status]).toEqual([title, 200]);
    }
  });
});

describe('a route', () => {
  @Controller()
  class Forgetful {
    @Get('forgotten')
    forgotten(): void {
      return;
    }
  }
  @Controller()
  class Hopeful {
    @Get('hoped')
    @Access({ org: 'effective', permission: 'acme:manage_notes' })
    hoped(): void {
      return;
    }
  }
  @Controller()
  class Homeless {
    @Get('homeless')
    // @ts-expect-error The types refuse it, but extensions in JavaScript have none.
    @Access({ permission: 'delete_organization' })
    homeless(): void {
      return;
    }
  }
  const permissions = { provide: PermissionTable, useValue: new PermissionTable({}) };

  it.each([
    ['does not declare who may call it', Forgetful, /neither @Access.*Forgetful\.forgotten/],
    [
      'needs a permission that is not there',
      Hopeful,
      /Hopeful\.hoped needs the permission acme:manage_notes/,
    ],
    [
      'needs a permission, but in no organization',
      Homeless,
      /Homeless\.homeless needs the permission delete_organization, but names no organization/,
    ],
  ])('that %s prevents the start', async (_, controller, sentence) => {
    const testing = await Test.createTestingModule({
      ...{
        imports: [DiscoveryModule],
        controllers: [controller],
        providers: [DeclaredAccess, DeclaredRoutes, permissions],
      },
    }).compile();
    await expect(testing.init()).rejects.toThrow(sentence);
  });
});

describe('a change of keys, users or members', () => {
  it('is seen by the next request on this replica, and within a second on every other', async () => {
    const other = await startTestApp({ env: { APP_ROLE: 'api' }, database: app.database });
    try {
      const { id } = await makeOrg(app.db);
      const owner = await makeCaller(app.db, id, 'owner');
      const member = await makeCaller(app.db, id, 'member');
      const roleOn = async (replica: TestApp) => {
        const { status, body } = await call<{ role: string }>(replica, 'GET', '/api/v1/users/me', {
          key: member.key,
        });
        return status === 200 ? body.role : status;
      };
      const expectSoon = async (expected: unknown): Promise<void> => {
        expect(await roleOn(app)).toBe(expected);
        const seen = await answerWithin(
          1_000,
          () => roleOn(other),
          (role) => role === expected,
        );
        expect(seen).toBe(expected);
      };
      await expectSoon('member');
      const path = `/api/organizations/${id}/members/${member.userId}`;
      await call(app, 'PATCH', path, { key: owner.key, body: { role: 'admin' } });
      await expectSoon('admin');
      await call(app, 'DELETE', path, { key: owner.key });
      await expectSoon(403);
    } finally {
      await other.close();
    }
  });

  it('is seen within a second when a user is disabled or a key removed from outside', async () => {
    const { id } = await makeOrg(app.db);
    const [disabled, removed] = [await makeCaller(app.db, id), await makeCaller(app.db, id)];
    const status = async (key: string) => (await call(app, 'GET', '/api/keys/current', { key })).status;
    expect([await status(disabled.key), await status(removed.key)]).toEqual([200, 200]);
    await app.db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.userId]);
    await app.db.query('DELETE FROM api_keys WHERE id = $1', [removed.keyId]);
    const seen = await answerWithin(
      1_000,
      async () => [await status(disabled.key), await status(removed.key)],
      (statuses) => !statuses.includes(200),
    );
    expect(seen).toEqual([401, 401]);
  });
});
