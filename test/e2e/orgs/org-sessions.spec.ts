import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { BrowserSessions } from '../../../src/accounts/api-keys';
import { Authentication } from '../../../src/kernel/auth';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, type TestKey } from '../../support/service/factories';
import { call } from '../../support/service/http';

interface Page {
  readonly items: readonly { readonly id: number; readonly user_id: string; readonly is_bound: boolean }[];
  readonly next_page_id: string | null;
}

let app: TestApp;
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => app.close());

const signIn = async ({ key }: Pick<TestKey, 'key'>): Promise<string> => {
  const verified = await app.app.get(Authentication).userOfKey(key, new IncomingMessage(new Socket()));
  return app.app.get(BrowserSessions).start(verified, 'A browser');
};
const statusOf = async (token: string): Promise<number> => {
  const headers = { Cookie: `ocs_session=${token}`, 'Sec-Fetch-Site': 'same-origin' };
  return (await call(app, 'POST', '/api/authenticate', { headers })).status;
};
const team = async () => {
  const { id: orgId } = await makeOrg(app.db);
  const [owner, admin] = [await makeCaller(app.db, orgId, 'owner'), await makeCaller(app.db, orgId, 'admin')];
  const member = await makeMember(app.db, orgId);
  const path = `/api/organizations/${orgId}/sessions`;
  const sessions = async (key = admin.key, query = ''): Promise<Page['items']> =>
    (await call<Page>(app, 'GET', `${path}${query}`, { key })).body.items;
  return { orgId, owner, admin, member, path, sessions };
};

describe('the sessions of the members of an organization', () => {
  it('are those in which they reach it, newest first, page by page', async () => {
    const { orgId, owner, admin, member, path, sessions } = await team();
    const elsewhere = await makeOrg(app.db);
    await app.db.query(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'member')`, [
      elsewhere.id,
      member.id,
    ]);
    await signIn(await makeKey(app.db, member.id, { orgId }));
    await signIn(await makeKey(app.db, member.id));
    await signIn(await makeKey(app.db, member.id, { orgId: elsewhere.id }));
    await signIn(await makeKey(app.db, member.id, { orgId, expiresAt: new Date(Date.now() - 1_000) })).catch(
      () => undefined,
    );
    await signIn(owner);
    const all = await sessions();
    expect(all.map(({ user_id, is_bound }) => [user_id, is_bound])).toEqual([
      [owner.userId, false],
      [member.id, false],
      [member.id, true],
    ]);
    expect(await sessions(admin.key, `?user_id=${owner.userId}`)).toEqual([all[0]]);
    const first = await call<Page>(app, 'GET', `${path}?limit=2`, { key: admin.key });
    const rest = await sessions(admin.key, `?limit=2&page_id=${String(first.body.next_page_id)}`);
    expect([...first.body.items, ...rest]).toEqual(all);
  });

  it('end by who outranks their member, an owner, or the member', async () => {
    const { orgId, owner, admin, member, path, sessions } = await team();
    const tokens = [await signIn(await makeKey(app.db, member.id, { orgId })), await signIn(owner)];
    const [ofOwner, ofMember] = await sessions();
    const end = (id: number | undefined, key: string) => call(app, 'DELETE', `${path}/${id}`, { key });
    expect(await end(ofOwner?.id, admin.key)).toMatchObject({ status: 403, body: { code: 'rank_too_low' } });
    expect((await end(ofMember?.id, admin.key)).status).toBe(200);
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200]);
    expect((await end(ofMember?.id, admin.key)).status).toBe(404);
    expect((await end(ofOwner?.id, owner.key)).status).toBe(200);
    expect(await sessions()).toEqual([]);
  });

  it('are no business of members, nor of admins of another organization', async () => {
    const { orgId, member, path } = await team();
    await signIn(await makeKey(app.db, member.id, { orgId }));
    const other = await team();
    const { key } = await makeKey(app.db, member.id);
    expect((await call(app, 'GET', path, { key })).status).toBe(403);
    expect((await call(app, 'GET', path, { key: other.owner.key })).status).toBe(403);
    const [session] = (
      await call<Page>(app, 'GET', path, { key: (await makeCaller(app.db, orgId, 'owner')).key })
    ).body.items;
    const foreign = await call(app, 'DELETE', `${other.path}/${session?.id}`, { key: other.owner.key });
    expect(foreign.status).toBe(404);
  });
});
