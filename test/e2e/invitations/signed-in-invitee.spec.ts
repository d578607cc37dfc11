import type { InvitationResponse } from '../../../src/accounts/invitations/record/invite.dto';
import { inviteOne, openPage, sendForm, tokenOf } from '../../support/invitations/invitations';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { FROM_OWN_PAGE, startSession } from '../../support/web-interface/browser-cookie';

const ONE_CLICK = 'name="step" value="session"';

let service: TestApp;
let inviter: TestCaller;
let invitee: TestCaller;
let made: InvitationResponse;
beforeAll(async () => (service = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => service.close());
beforeEach(async () => {
  inviter = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
  invitee = await makeCaller(service.db, (await makeOrg(service.db)).id);
  made = await inviteOne(service, inviter, invitee.email);
});

/** Accepts by one click. */
const click = (Cookie: string, headers: Record<string, string> = FROM_OWN_PAGE) =>
  sendForm(service, { token: tokenOf(made), step: 'session' }, { ...headers, Cookie });
const roleOf = async (userId: string): Promise<unknown> => {
  const rows = await service.db.query<{ role: string }[]>(
    'SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2',
    [inviter.orgId, userId],
  );
  return rows[0]?.role;
};

describe('somebody who is signed in, on the page of an invitation to them', () => {
  it('accepts by one click, without a key, and stays signed in', async () => {
    const cookie = await startSession(service, invitee.key);
    const page = await openPage(service, tokenOf(made), { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' });
    expect(page.body).toContain(ONE_CLICK);
    expect(page.body.match(/Accept the invitation/g)).toHaveLength(1);
    expect(await roleOf(invitee.userId)).toBeUndefined();
    const joined = await click(cookie);
    expect([joined.status, joined.headers['set-cookie']]).toEqual([200, undefined]);
    expect(joined.body).toContain('href="/">Start working');
    expect(await roleOf(invitee.userId)).toBe('member');
    const headers = { Cookie: cookie, ...FROM_OWN_PAGE, 'X-Org-Id': inviter.orgId };
    expect((await call(service, 'GET', '/api/keys/current', { headers })).status).toBe(200);
  });

  it('is sent to sign in again after an hour, and back', async () => {
    const cookie = await startSession(service, invitee.key);
    await service.db.query("UPDATE browser_sessions SET created_at = now() - interval '61 minutes'");
    const { status, headers } = await click(cookie);
    const back = `/api/organizations/members/invite/accept?token=${tokenOf(made)}`;
    expect([status, headers.location]).toEqual([
      303,
      `/login?again=yes&returnTo=${encodeURIComponent(back)}`,
    ]);
    expect(await roleOf(invitee.userId)).toBeUndefined();
  });

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['who does not say', {}],
  ])('is protected from forms of %s', async (_, headers) => {
    expect((await click(await startSession(service, invitee.key), headers)).status).toBe(403);
    expect(await roleOf(invitee.userId)).toBeUndefined();
  });

  it('accepts nothing once the session has ended', async () => {
    const page = await click('ocs_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    expect([page.status, page.body]).toEqual([
      403,
      expect.stringContaining('You are not signed in any more.'),
    ]);
  });
});

describe('somebody who is signed in with a key that is bound to another organization', () => {
  it('accepts by one click, and is signed in to the organization that they joined', async () => {
    const bound = await makeKey(service.db, invitee.userId, { orgId: invitee.orgId });
    const joined = await click(await startSession(service, bound.key));
    expect([joined.status, joined.body]).toEqual([200, expect.stringMatching(/ocs_[0-9A-Za-z]{38}/)]);
    const Cookie = joined.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
    const headers = { Cookie, ...FROM_OWN_PAGE };
    const current = await call(service, 'GET', '/api/keys/current', { headers });
    expect(current.body).toMatchObject({ user_id: invitee.userId, bound_org_id: inviter.orgId });
  });
});

describe('somebody who is signed in as another', () => {
  it('is told so, and does not accept as that', async () => {
    const Cookie = await startSession(service, inviter.key);
    const page = await openPage(service, tokenOf(made), { Cookie });
    expect(page.body).toContain(
      `You are signed in as ${inviter.email}; the invitation is for another address.`,
    );
    expect(page.body).not.toContain(ONE_CLICK);
    expect((await click(Cookie)).status).toBe(403);
    expect(await roleOf(inviter.userId)).toBe('owner');
  });
});

describe('where the service has no pages to sign in at', () => {
  it('an invitation gives a key and no session', async () => {
    const off = await startTestApp({ env: { APP_ROLE: 'api', WEB_UI: 'off' }, database: service.database });
    const token = tokenOf(await inviteOne(off, inviter, 'somebody-new@example.com'));
    const page = await sendForm(off, { token, step: 'create', name: 'A' });
    expect([page.status, page.headers['set-cookie'], page.body]).toEqual([
      200,
      undefined,
      expect.stringMatching(/ocs_[0-9A-Za-z]{38}/),
    ]);
    await off.close();
  });
});
