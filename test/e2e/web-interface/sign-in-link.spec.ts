import { startTestApp, type TestApp } from '../../support/service/app';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  type TestCaller,
  type TestOrg,
} from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { eventually } from '../../support/eventually';
import { partsOf, type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';
import { inviteOne, tokenOf } from '../../support/invitations/invitations';
import { FROM_OWN_PAGE } from '../../support/web-interface/browser-cookie';

interface Made {
  readonly url: string;
  readonly expires_at: string;
}

let sink: SmtpSink;
let service: TestApp;
let org: TestOrg;
let admin: TestCaller;
let member: TestCaller;
beforeAll(async () => {
  sink = await startSmtpSink();
  service = await startTestApp({ env: { SMTP_URL: sink.url, MAIL_FROM: 'no-reply@acme.example' } });
});
afterAll(async () => {
  await service.close();
  await sink.close();
});
beforeEach(async () => {
  org = await makeOrg(service.db, { name: 'Acme' });
  admin = await makeCaller(service.db, org.id, 'admin');
  member = await makeCaller(service.db, org.id);
});

const make = (by: TestCaller, userId: string) =>
  call<Made & ErrorBody>(service, 'POST', `/api/organizations/${org.id}/members/${userId}/sign-in-link`, by);
const tokenIn = ({ url }: Made): string => new URL(url).searchParams.get('token') ?? '';
const open = (token: string) => call<string>(service, 'GET', `/login/link?token=${token}`);
const use = (token: string, headers: Record<string, string> = FROM_OWN_PAGE) =>
  call<string>(service, 'POST', '/login/link', {
    raw: new URLSearchParams({ token }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
/** A session that a link began. */
async function session(): Promise<Record<string, string>> {
  const { body } = await make(admin, member.userId);
  const { headers } = await use(tokenIn(body));
  return { Cookie: headers['set-cookie']![0]!.split(';', 1)[0]!, ...FROM_OWN_PAGE };
}
const statusOf = async (headers: Record<string, string>) =>
  (await call(service, 'POST', '/api/authenticate', { headers })).status;

describe('a link with which an administrator lets a member in', () => {
  it('signs in once, as that member, bound to the organization, after a click', async () => {
    const { status, body } = await make(admin, member.userId);
    expect(status).toBe(201);
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    for (let time = 0; time < 2; time++) {
      const page = await open(tokenIn(body));
      expect([page.status, page.headers['set-cookie']]).toEqual([200, undefined]);
      expect(page.body).toContain('in Acme only');
      expect(page.body).not.toContain(member.email);
    }
    expect((await use(tokenIn(body), { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    const used = await use(tokenIn(body));
    expect([used.status, used.headers.location]).toEqual([303, '/']);
    const headers = { Cookie: used.headers['set-cookie']![0]!.split(';', 1)[0]!, ...FROM_OWN_PAGE };
    const current = await call(service, 'GET', '/api/keys/current', { headers });
    expect(current.body).toMatchObject({
      user_id: member.userId,
      bound_org_id: org.id,
      name: 'Sign-in link',
    });
    expect((await use(tokenIn(body))).status).toBe(403);
    expect((await open(tokenIn(body))).status).toBe(404);
  });

  it('makes no session that becomes that person elsewhere', async () => {
    const other = await makeOrg(service.db);
    await makeMember(service.db, other.id, 'owner', { id: member.userId, email: member.email, name: null });
    const headers = await session();
    const ask = (method: 'GET' | 'POST', path: string, more: Record<string, string> = {}, body?: object) =>
      call<ErrorBody>(service, method, path, { headers: { ...headers, ...more }, ...(body && { body }) });
    expect((await ask('GET', `/api/organizations/${other.id}/members`)).body.code).toBe(
      'key_bound_to_other_organization',
    );
    expect((await ask('POST', '/api/keys', {}, { name: 'X', org_id: null })).status).toBe(403);
    expect((await ask('POST', '/api/keys', {}, { name: 'X', org_id: other.id })).status).toBe(403);
    expect((await ask('POST', '/api/keys', {}, { name: 'X' })).body.code).toBe('key_outlives_maker');
    const key = { name: 'X', expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    expect((await ask('POST', '/api/keys', {}, key)).status).toBe(200);
    const third = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    const token = tokenOf(await inviteOne(service, third, member.email));
    const accepted = await ask('POST', '/api/organizations/members/invite/accept', {}, { token });
    expect(accepted.body.code).toBe('key_bound_to_other_organization');
  });

  it('is made by who outranks the member only', async () => {
    const owner = await makeCaller(service.db, org.id, 'owner');
    const stranger = await makeCaller(service.db, (await makeOrg(service.db)).id);
    const answers = await Promise.all([
      make(member, admin.userId),
      make(admin, owner.userId),
      make(admin, admin.userId),
      make(owner, owner.userId),
      make(admin, stranger.userId),
      make(admin, 'no-id'),
      make(owner, admin.userId),
    ]);
    expect(answers.map(({ status, body }) => (status === 201 ? status : body.code))).toEqual([
      'permission_denied',
      'rank_too_low',
      'rank_too_low',
      'rank_too_low',
      'member_not_found',
      'member_not_found',
      201,
    ]);
  });

  it.each([
    ['has expired', `UPDATE sign_in_proofs SET expires_at = now() WHERE user_id = $1`],
    ['is for a former member', `DELETE FROM org_members WHERE user_id = $1`],
    ['is for somebody who is an owner now', `UPDATE org_members SET role = 'owner' WHERE user_id = $1`],
    ['is for a disabled user', `UPDATE users SET disabled_at = now() WHERE id = $1`],
  ])('signs nobody in when it %s', async (_, sql) => {
    const { body } = await make(admin, member.userId);
    await service.db.query(sql, [member.userId]);
    const used = await use(tokenIn(body));
    expect([used.status, used.headers['set-cookie']]).toEqual([403, undefined]);
  });

  it('signs nobody in once its maker is no administrator any more', async () => {
    const { body } = await make(admin, member.userId);
    await service.db.query(`UPDATE org_members SET role = 'member' WHERE user_id = $1`, [admin.userId]);
    expect((await use(tokenIn(body))).status).toBe(403);
  });

  it('has its sessions end when the member gets another role, or revokes its key', async () => {
    const owner = await makeCaller(service.db, org.id, 'owner');
    const first = await session();
    expect(await statusOf(first)).toBe(200);
    await call(service, 'PATCH', `/api/organizations/${org.id}/members/${member.userId}`, {
      key: owner.key,
      body: { role: 'admin' },
    });
    expect(await statusOf(first)).toBe(401);
    await service.db.query(`UPDATE org_members SET role = 'member' WHERE user_id = $1`, [member.userId]);
    const second = await session();
    const { body: keys } = await call<{ id: number; name: string }[]>(service, 'GET', '/api/keys', member);
    const { id } = keys.find(({ name }) => name === 'Sign-in link')!;
    await call(service, 'DELETE', `/api/keys/${id}`, member);
    expect(await statusOf(second)).toBe(401);
  });

  it('is made five times an hour for a member', async () => {
    const statuses = [];
    for (let time = 0; time < 6; time++) statuses.push((await make(admin, member.userId)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('is told to the member by mail, and to the organization by an event', async () => {
    const { body } = await make(admin, member.userId);
    await eventually(() => {
      const mail = sink.received.find(({ to }) => to[0] === member.email);
      expect(partsOf(mail!).text).toContain(`${admin.email} made a link`);
      expect(mail!.raw).not.toContain(tokenIn(body));
    });
    const events = await service.db.query<{ payload: object }[]>(
      `SELECT e::text AS payload FROM domain_events e WHERE e::text LIKE '%sign_in_link_created%'`,
    );
    expect(JSON.stringify(events)).toContain(member.userId);
  });

  it('leaves no token in the database', async () => {
    const { body } = await make(admin, member.userId);
    const rows = await service.db.query<{ all: string }[]>(
      `SELECT p::text AS all FROM sign_in_proofs p UNION ALL SELECT payload::text FROM graphile_worker._private_jobs`,
    );
    for (const { all } of rows) expect(all).not.toContain(tokenIn(body));
  });

  it('is not made where nobody signs in', async () => {
    const off = await startTestApp({ env: { APP_ROLE: 'api', WEB_UI: 'off' }, database: service.database });
    const path = `/api/organizations/${org.id}/members/${member.userId}/sign-in-link`;
    const { key } = await makeKey(service.db, admin.userId);
    expect((await call<ErrorBody>(off, 'POST', path, { key })).body.code).toBe('sign_in_off');
    await off.close();
  });
});
