import { startTestApp, type TestApp } from '../../support/service/app';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';

interface MemberPage {
  items: { user_id: string; name: string | null; status: string }[];
  next_page_id: string | null;
}

let app: TestApp;
// No worker: the jobs are looked at here.
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => app.close());

async function ownersOf(orgId: string): Promise<string[]> {
  const rows = await app.db.query<{ user_id: string }[]>(
    `SELECT user_id FROM org_members WHERE org_id = $1 AND role = 'owner'`,
    [orgId],
  );
  return rows.map(({ user_id }) => user_id);
}

describe('GET /api/organizations/{org_id}/members', () => {
  it('answers every member once, in pages', async () => {
    const org = await makeOrg(app.db);
    const callers = [await makeCaller(app.db, org.id)];
    for (let i = 0; i < 4; i++) callers.push(await makeCaller(app.db, org.id));
    const seen: string[] = [];
    let pageId: string | null = '';
    while (pageId !== null) {
      const query: string = pageId === '' ? 'limit=2' : `limit=2&page_id=${pageId}`;
      const { body }: HttpResponse<MemberPage> = await call<MemberPage>(
        app,
        'GET',
        `/api/organizations/${org.id}/members?${query}`,
        { key: callers[0]!.key },
      );
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map(({ user_id }) => user_id));
      pageId = body.next_page_id;
    }
    expect(seen.sort()).toEqual(callers.map(({ userId }) => userId).sort());
  });

  describe('with a search', () => {
    let key: string;
    let path: string;

    const page = (query: string) => call<MemberPage & ErrorBody>(app, 'GET', `${path}?${query}`, { key });

    /** The names of who is found, over all pages. */
    const found = async (search: string, limit = 100): Promise<(string | null)[]> => {
      const names: (string | null)[] = [];
      let pageId: string | null = null;
      do {
        const query = new URLSearchParams({
          search,
          limit: String(limit),
          ...(pageId && { page_id: pageId }),
        });
        const { status, body }: HttpResponse<MemberPage> = await page(query.toString());
        expect([search, status]).toEqual([search, 200]);
        expect(body.items.length).toBeLessThanOrEqual(limit);
        names.push(...body.items.map(({ name }) => name));
        pageId = body.next_page_id;
      } while (pageId !== null);
      return names.sort();
    };

    beforeAll(async () => {
      const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
      ({ key } = await makeCaller(app.db, org.id));
      path = `/api/organizations/${org.id}/members`;
      const member = async (orgId: string, name: string | null, email?: string) =>
        makeMember(app.db, orgId, 'member', await makeUser(app.db, { name, ...(email && { email }) }));
      await member(org.id, 'Robin Ångström', 'r.angstrom@example.org');
      await member(org.id, 'Robina', 'second@example.org');
      await member(org.id, '100 % Robin_son');
      await member(org.id, '李雷');
      await member(org.id, null, 'robin.without.name@example.org');
      await member(other.id, 'Robin Elsewhere', 'robin.elsewhere@example.org');
    });

    it.each([
      ['robin', ['100 % Robin_son', 'Robin Ångström', 'Robina', null]],
      ['  ROBINA ', ['Robina']],
      ['A\u030aNGSTRÖM', ['Robin Ångström']],
      ['second@', ['Robina']],
      ['EXAMPLE.ORG', ['Robin Ångström', 'Robina', null]],
      ['elsewhere', []],
      ['ls', []],
      ['李', ['李雷']],
      ['%', ['100 % Robin_son']],
      ['_', ['100 % Robin_son']],
      ['％', ['100 % Robin_son']],
      ['rob%', []],
      ['rob_n', []],
      ['bin_son', ['100 % Robin_son']],
      ['\\', []],
      ['rob\\in', []],
      ["' OR true --", []],
      ['\u0000', []],
    ])('finds whoever has "%s" in their name or address', async (search, names) => {
      expect(await found(search)).toEqual(names.sort());
      expect(await found(search, 1)).toEqual(names.sort());
    });

    it.each(['', '  '])('for "%s" answers all', async (search) => {
      expect(await found(search)).toHaveLength(6);
    });

    it('takes the page of another search as the place where it goes on', async () => {
      const { next_page_id } = (await page('search=robin&limit=2')).body;
      const rest = (await page(`page_id=${next_page_id}`)).body.items;
      expect(rest.length).toBeLessThan(6);
      const ofBoth = (await page(`search=robin&page_id=${next_page_id}`)).body.items;
      expect(ofBoth).toHaveLength(2);
      expect(rest).toEqual(expect.arrayContaining(ofBoth));
      expect(await page('search=robin&page_id=2')).toMatchObject({
        status: 400,
        body: { code: 'page_id_invalid' },
      });
      expect((await page('search=robin&limit=0')).status).toBe(422);
    });
  });

  it('shows who is disabled', async () => {
    const org = await makeOrg(app.db);
    const { key, userId } = await makeCaller(app.db, org.id);
    const disabled = await makeMember(app.db, org.id, 'admin', await makeUser(app.db, { disabled: true }));
    const { body } = await call<MemberPage>(app, 'GET', `/api/organizations/${org.id}/members`, { key });
    expect(Object.fromEntries(body.items.map(({ user_id, status }) => [user_id, status]))).toEqual({
      [userId]: 'active',
      [disabled.id]: 'disabled',
    });
  });
});

describe('PATCH /api/organizations/{org_id}/members/{user_id}', () => {
  const change = (by: TestCaller, userId: string, role: string) =>
    call<ErrorBody & { role: string }>(app, 'PATCH', `/api/organizations/${by.orgId}/members/${userId}`, {
      key: by.key,
      body: { role },
    });

  it('changes the role, and the next request of the member sees it', async () => {
    const org = await makeOrg(app.db);
    const owner = await makeCaller(app.db, org.id, 'owner');
    const member = await makeCaller(app.db, org.id, 'member');
    const roleOf = async () =>
      (await call<{ role: string }>(app, 'GET', '/api/v1/users/me', { key: member.key })).body.role;
    expect(await roleOf()).toBe('member');
    expect(await change(owner, member.userId, 'Admin')).toMatchObject({
      status: 200,
      body: { user_id: member.userId, role: 'admin' },
    });
    expect(await roleOf()).toBe('admin');
  });

  it('is for higher ranks, and owners among themselves', async () => {
    const org = await makeOrg(app.db);
    const owner = await makeCaller(app.db, org.id, 'owner');
    const otherOwner = await makeCaller(app.db, org.id, 'owner');
    const admin = await makeCaller(app.db, org.id, 'admin');
    const otherAdmin = await makeCaller(app.db, org.id, 'admin');
    const member = await makeCaller(app.db, org.id, 'member');
    expect((await change(member, admin.userId, 'member')).body.code).toBe('permission_denied');
    expect((await change(admin, otherAdmin.userId, 'member')).body.code).toBe('rank_too_low');
    expect((await change(admin, member.userId, 'owner')).body.code).toBe('rank_too_low');
    expect((await change(admin, owner.userId, 'member')).body.code).toBe('rank_too_low');
    expect((await change(admin, member.userId, 'admin')).status).toBe(200);
    expect((await change(owner, otherOwner.userId, 'member')).status).toBe(200);
  });

  it('never changes the own role', async () => {
    const org = await makeOrg(app.db);
    const owner = await makeCaller(app.db, org.id, 'owner');
    await makeCaller(app.db, org.id, 'owner');
    expect(await change(owner, owner.userId, 'member')).toMatchObject({
      status: 403,
      body: { code: 'own_role' },
    });
  });

  it('knows three roles and the members of this organization only', async () => {
    const org = await makeOrg(app.db);
    const owner = await makeCaller(app.db, org.id, 'owner');
    const outsider = await makeUser(app.db);
    expect(await change(owner, outsider.id, 'root')).toMatchObject({
      status: 400,
      body: { code: 'invalid_role' },
    });
    for (const id of [outsider.id, 'nobody'])
      expect(await change(owner, id, 'admin')).toMatchObject({
        status: 404,
        body: { code: 'member_not_found' },
      });
  });

  it('keeps one owner when two demote each other at once', async () => {
    const org = await makeOrg(app.db);
    const one = await makeCaller(app.db, org.id, 'owner');
    const two = await makeCaller(app.db, org.id, 'owner');
    const responses = await Promise.all([
      change(one, two.userId, 'member'),
      change(two, one.userId, 'member'),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await ownersOf(org.id)).toHaveLength(1);
  });
});

describe('DELETE /api/organizations/{org_id}/members/{user_id}', () => {
  const remove = (by: TestCaller, userId: string) =>
    call<ErrorBody>(app, 'DELETE', `/api/organizations/${by.orgId}/members/${userId}`, { key: by.key });
  const removals = (orgId: string) =>
    app.db.query<unknown[]>(`SELECT event FROM domain_events WHERE kind = 'member.removed' AND org_id = $1`, [
      orgId,
    ]);

  it('ends the membership at once and logs it, for the jobs that end what the member had running', async () => {
    const org = await makeOrg(app.db);
    const admin = await makeCaller(app.db, org.id, 'admin');
    const member = await makeCaller(app.db, org.id, 'member');
    expect((await call(app, 'GET', '/api/v1/users/me', { key: member.key })).status).toBe(200);
    expect((await remove(admin, member.userId)).status).toBe(200);
    expect((await call(app, 'GET', '/api/v1/users/me', { key: member.key })).status).toBe(403);
    expect(await removals(org.id)).toEqual([
      { event: { kind: 'member.removed', org_id: org.id, user_id: member.userId } },
    ]);
  });

  it('is for higher ranks, and owners among themselves', async () => {
    const org = await makeOrg(app.db);
    const owner = await makeCaller(app.db, org.id, 'owner');
    const otherOwner = await makeCaller(app.db, org.id, 'owner');
    const admin = await makeCaller(app.db, org.id, 'admin');
    const member = await makeCaller(app.db, org.id, 'member');
    for (const [by, target] of [
      [member, admin],
      [member, { userId: org.id }],
      [admin, owner],
      [admin, await makeCaller(app.db, org.id, 'admin')],
    ] as const)
      expect(await remove(by, target.userId)).toMatchObject({
        status: 403,
        body: { code: 'rank_too_low' },
      });
    expect(await remove(admin, (await makeUser(app.db)).id)).toMatchObject({
      status: 404,
      body: { code: 'member_not_found' },
    });
    expect((await remove(owner, otherOwner.userId)).status).toBe(200);
    expect(await removals(org.id)).toHaveLength(1);
  });

  it('lets anyone leave, except the last owner', async () => {
    const org = await makeOrg(app.db);
    const owner = await makeCaller(app.db, org.id, 'owner');
    const member = await makeCaller(app.db, org.id, 'member');
    expect((await remove(member, member.userId)).status).toBe(200);
    expect(await remove(owner, owner.userId)).toMatchObject({ status: 409, body: { code: 'last_owner' } });
    await makeCaller(app.db, org.id, 'owner');
    expect((await remove(owner, owner.userId)).status).toBe(200);
    expect(await ownersOf(org.id)).toHaveLength(1);
  });

  it('keeps one owner when the last two leave at once', async () => {
    const org = await makeOrg(app.db);
    const one = await makeCaller(app.db, org.id, 'owner');
    const two = await makeCaller(app.db, org.id, 'owner');
    const responses = await Promise.all([remove(one, one.userId), remove(two, two.userId)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await ownersOf(org.id)).toHaveLength(1);
  });

  it('is of the organization of the path only', async () => {
    const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const owner = await makeCaller(app.db, org.id, 'owner');
    const elsewhere = await makeMember(app.db, other.id);
    expect((await remove(owner, elsewhere.id)).status).toBe(404);
    const { key } = await makeKey(app.db, owner.userId, { orgId: other.id });
    const path = `/api/organizations/${org.id}/members/${owner.userId}`;
    expect((await call(app, 'DELETE', path, { key })).status).toBe(403);
  });
});
