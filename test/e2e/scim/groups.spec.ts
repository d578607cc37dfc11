import { randomUUID } from 'node:crypto';
import { fill } from '../../support/database/fill';
import { Directory, type ScimBody } from '../../support/scim/directory';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

interface RolePage {
  readonly items: { readonly id: string; readonly members: number; readonly role: string | null }[];
}

let app: TestApp;
let directory: Directory;
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
beforeEach(async () => (directory = await Directory.make(app)));
afterAll(() => app.close());

const address = (): string => `g-${randomUUID()}@example.com`;

const group = (displayName: string, ...people: readonly ScimBody[]) =>
  directory.sent('POST', '/Groups', { displayName, members: people.map(({ id }) => ({ value: id })) });

const rolesPath = (id = '') =>
  `/api/organizations/${directory.orgId}/scim-groups${id === '' ? '' : `/${id}`}`;

const setRole = (id: string, role: string | null, key = directory.owner.key) =>
  call<ErrorBody & { role: string | null; members: number }>(app, 'PUT', rolesPath(id), {
    key,
    body: { role },
  });

const change = (id: string, ...operations: readonly object[]) =>
  directory.send('PATCH', `/Groups/${id}`, { Operations: operations });

const ownRole = async (name: string, ...permissions: readonly string[]): Promise<string> => {
  const id = randomUUID();
  await app.db.query('INSERT INTO org_roles (id, org_id, name, permissions) VALUES ($1, $2, $3, $4)', [
    ...[id, directory.orgId, name, permissions.length === 0 ? ['view_org_conversations'] : permissions],
  ]);
  return id;
};

const ownRoleOf = async (email: string): Promise<string | null> => {
  const [row] = await app.db.query<{ own_role_id: string | null }[]>(
    `SELECT m.own_role_id FROM org_members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND u.email = $2`,
    [directory.orgId, email],
  );
  return row?.own_role_id ?? null;
};

describe('a group of a directory', () => {
  it('gives those in it a role, at once, and takes it with the group', async () => {
    const [in_, out] = [await directory.person(address()), await directory.person(address())];
    const { id } = await group('Admins', in_);
    const { status, body } = await setRole(id, 'Admin');
    expect([status, body]).toEqual([200, expect.objectContaining({ role: 'admin', members: 1 })]);
    expect(await Promise.all([in_, out].map(({ userName }) => directory.roleOf(userName)))).toEqual([
      'admin',
      'member',
    ]);
    await change(id, { op: 'add', path: 'members', value: [{ value: out.id }] });
    expect(await directory.roleOf(out.userName)).toBe('admin');
    await change(id, { op: 'remove', path: `members[value eq "${out.id}"]` });
    expect(await directory.roleOf(out.userName)).toBe('member');
    await directory.send('DELETE', `/Groups/${id}`);
    expect(await directory.roleOf(in_.userName)).toBe('member');
  });

  it('counts beside others: the highest role holds, an own role above member', async () => {
    const person = await directory.person(address());
    const auditors = await ownRole('Auditor');
    const [low, own, high] = [
      await group('Low', person),
      await group('Own', person),
      await group('High', person),
    ];
    const roles = [];
    for (const [id, role] of [
      [low.id, 'member'],
      [own.id, auditors],
      [high.id, 'admin'],
      [high.id, null],
      [own.id, null],
    ] as const) {
      expect((await setRole(id, role)).body.role).toBe(role);
      roles.push([await directory.roleOf(person.userName), await ownRoleOf(person.userName)]);
    }
    expect(roles).toEqual([
      ['member', null],
      ['member', auditors],
      ['admin', null],
      ['member', auditors],
      ['member', null],
    ]);
  });

  it('leaves those without a group of a role what they were given by hand', async () => {
    const member = await makeMember(app.db, directory.orgId, 'admin');
    const person = await directory.person(member.email);
    const { id } = await group('No role');
    await change(id, { op: 'add', path: 'members', value: [{ value: person.id }] });
    await setRole((await group('Another')).id, 'member');
    expect(await directory.roleOf(member.email)).toBe('admin');
  });

  it('decides on the role of who comes back', async () => {
    const person = await directory.person(address());
    const own = await ownRole('Reader');
    await setRole((await group('Readers', person)).id, own);
    await directory.setActive(person.id, false);
    expect((await directory.setActive(person.id, true)).body).toMatchObject({
      active: true,
      groups: [{ display: 'Readers', type: 'direct' }],
    });
    expect(await ownRoleOf(person.userName)).toBe(own);
  });

  it('never takes the last owner', async () => {
    const owner = await directory.person(directory.owner.email);
    const second = await directory.person(address());
    const owners = await group('Owners', second);
    await setRole(owners.id, 'owner');
    const members = await group('Members', owner);
    await setRole(members.id, 'member');
    expect(await directory.roleOf(owner.userName)).toBe('member');
    await change(owners.id, { op: 'remove', path: 'members' });
    expect(await directory.roleOf(second.userName)).toBe('owner');
  });

  it('leaves the oldest of its members an owner where it takes the role from all', async () => {
    const owner = await directory.person(directory.owner.email);
    const others = [await directory.person(address()), await directory.person(address())];
    const { id } = await group('Owners', ...others, owner);
    const roles = async (role: string | null) => {
      await setRole(id, role);
      return Promise.all([owner, ...others].map(({ userName }) => directory.roleOf(userName)));
    };
    expect(await roles('owner')).toEqual(['owner', 'owner', 'owner']);
    expect(await roles('admin')).toEqual(['owner', 'admin', 'admin']);
  });

  it('is given a role by owners, one that there is', async () => {
    const { id } = await group('Group');
    const admin = await makeCaller(app.db, directory.orgId, 'admin');
    const other = await Directory.make(app);
    const [foreign] = await app.db.query<{ id: string }[]>(
      `INSERT INTO org_roles (id, org_id, name, permissions) VALUES (gen_random_uuid(), $1, 'Theirs', '{}') RETURNING id`,
      [other.orgId],
    );
    const codes = [];
    for (const [role, key] of [
      ['admin', admin.key],
      ['king', undefined],
      [foreign?.id ?? '', undefined],
    ] as const)
      codes.push((await setRole(id, role, key)).body.code);
    expect(codes).toEqual(['permission_denied', 'invalid_role', 'invalid_role']);
    const { body } = await call<RolePage>(app, 'GET', rolesPath(), { key: directory.owner.key });
    expect(body.items).toEqual([expect.objectContaining({ id, members: 0, role: null })]);
  });

  it('is given no role by who lacks what it permits, though both rank as member', async () => {
    const { id } = await group('Group');
    const [manager, powerful] = [
      await ownRole('Manager', 'manage_scim'),
      await ownRole('Powerful', 'manage_scim', 'view_org_conversations'),
    ];
    const caller = await makeCaller(app.db, directory.orgId);
    await app.db.query('UPDATE org_members SET own_role_id = $1 WHERE org_id = $2 AND user_id = $3', [
      manager,
      directory.orgId,
      caller.userId,
    ]);
    const refused = await setRole(id, powerful, caller.key);
    expect([refused.status, refused.body.code]).toEqual([403, 'role_not_held']);
    expect((await setRole(id, manager, caller.key)).status).toBe(200);
  });

  it('is given no role with a key that cannot do all of it', async () => {
    const { id } = await group('Group');
    const { userId } = directory.owner;
    const { key } = await makeKey(app.db, userId, { orgId: directory.orgId, scopes: ['manage_scim'] });
    for (const role of ['owner', 'member', await ownRole('Auditor')]) {
      const { status, body } = await setRole(id, role, key);
      expect([status, body.code]).toEqual([403, 'role_not_held']);
    }
    expect((await setRole(id, await ownRole('Manager', 'manage_scim'), key)).status).toBe(200);
  });

  it('changes as a whole or not at all, and only with people whom the directory has told of', async () => {
    const person = await directory.person(address());
    const { id, meta } = await group('Group');
    for (const value of [randomUUID(), 'nobody']) {
      const { status, body } = await change(
        id,
        { op: 'replace', path: 'displayName', value: 'Another' },
        { op: 'add', path: 'members', value: [{ value: person.id }, { value }] },
      );
      expect([status, body.scimType]).toEqual([400, 'invalidValue']);
    }
    expect(await directory.sent('GET', `/Groups/${id}`)).toMatchObject({ displayName: 'Group', meta });
    await change(id, { op: 'remove', path: 'members', value: [{ value: randomUUID() }] });
    expect((await directory.sent('GET', `/Groups/${id}`)).meta.version).toBe(meta.version);
  });

  it('takes and gives up thousands of people', async () => {
    const many = 5_000;
    await fill(
      app.database,
      `WITH made AS (INSERT INTO users (id, email) SELECT gen_random_uuid(), 'm-' || n || '.' || $1 || '@example.com'
                       FROM generate_series(1, $2::int) n RETURNING id, email),
            joined AS (INSERT INTO org_members (org_id, user_id, role) SELECT $1::uuid, id, 'member' FROM made)
       INSERT INTO scim_users (org_id, id, email, active, resource)
       SELECT $1::uuid, gen_random_uuid(), email, true, jsonb_build_object('userName', email) FROM made`,
      [directory.orgId, many],
    );
    const rows = await app.db.query<{ id: string }[]>('SELECT id FROM scim_users WHERE org_id = $1', [
      directory.orgId,
    ]);
    const value = rows.map(({ id }) => ({ value: id }));
    const { id } = await group('Everybody');
    await setRole(id, 'admin');
    expect((await change(id, { op: 'add', path: 'members', value })).status).toBe(204);
    const admins = () =>
      app.db.query<{ count: string }[]>(
        `SELECT count(*) FROM org_members WHERE org_id = $1 AND role = 'admin'`,
        [directory.orgId],
      );
    expect(await admins()).toEqual([{ count: String(many) }]);
    const told = await app.db.query<object[]>(
      `SELECT DISTINCT event ->> 'user_id' AS id FROM domain_events
        WHERE org_id = $1 AND kind = 'member.role_changed' AND event ->> 'role' = 'admin'`,
      [directory.orgId],
    );
    expect(told).toHaveLength(many);
    expect((await directory.sent('GET', `/Groups/${id}`)).members).toHaveLength(many);
    expect((await change(id, { op: 'remove', path: 'members', value: value.slice(1) })).status).toBe(204);
    expect((await directory.sent('GET', `/Groups/${id}`)).members).toEqual([
      expect.objectContaining(value[0]),
    ]);
    expect(await admins()).toEqual([{ count: '1' }]);
  });
});
