import { randomUUID } from 'node:crypto';
import type {
  BatchInvitationResponse,
  InvitationResponse,
} from '../../../src/accounts/invitations/record/invite.dto';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type CallOptions, type ErrorBody } from '../../support/service/http';

describe('POST /api/organizations/{org_id}/members/invite', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp({ env: { APP_ROLE: 'api' } })));
  afterAll(() => service.close());

  async function caller(role: 'member' | 'admin' | 'owner' = 'owner'): Promise<TestCaller> {
    return makeCaller(service.db, (await makeOrg(service.db)).id, role);
  }

  const path = (orgId: string, rest = ''): string => `/api/organizations/${orgId}/members/invite${rest}`;

  function invite(who: TestCaller, body: unknown, options: CallOptions = {}, orgId = who.orgId) {
    return call<BatchInvitationResponse & ErrorBody>(service, 'POST', path(orgId), {
      key: who.key,
      body,
      ...options,
    });
  }

  it('answers 200 with a record for every address, and what is left of the budget', async () => {
    const who = await caller();
    const response = await invite(who, { emails: ['B@Example.com', who.email.toUpperCase()] });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      successful: [
        {
          id: expect.any(Number) as number,
          email: 'b@example.com',
          role: 'member',
          status: 'pending',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
          expires_at: expect.stringMatching(/Z$/) as string,
          inviter_email: who.email,
          invite_url: expect.stringMatching(
            /^http:\/\/127\.0\.0\.1:3000\/api\/organizations\/members\/invite\/accept\?token=inv-[0-9A-Za-z]{48}$/,
          ) as string,
          mail_status: 'none',
          mail_detail: null,
        },
      ],
      failed: [
        {
          email: who.email.toUpperCase(),
          error: 'This address belongs to a member of the organization already.',
          code: 'already_member',
        },
      ],
      email_delivery_configured: false,
    });
    expect(response.headers['ratelimit-limit']).toBe('100');
    expect(response.headers['ratelimit-remaining']).toBe('99');
    expect(response.headers['ratelimit-policy']).toBe('100;w=3600, 30;w=60');
  });

  describe('is refused', () => {
    it('with 400 for a role that is none', async () => {
      for (const role of ['boss', ' admin', '']) {
        const response = await invite(await caller(), { emails: ['a@example.com'], role });
        expect(response).toMatchObject({ status: 400, body: { code: 'invalid_role' } });
      }
    });

    it('with 400 for an organization that does not exist', async () => {
      const response = await invite(await caller(), { emails: ['a@example.com'] }, {}, randomUUID());
      expect(response).toMatchObject({ status: 400, body: { code: 'organization_not_found' } });
    });

    it('with 403 for somebody else, plain members, and admins inviting owners', async () => {
      const outsider = await invite(
        await caller(),
        { emails: ['a@example.com'] },
        {},
        (await caller()).orgId,
      );
      expect(outsider).toMatchObject({ status: 403, body: { code: 'not_a_member' } });
      const member = await invite(await caller('member'), { emails: ['a@example.com'] });
      expect(member).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
      const admin = await invite(await caller('admin'), { emails: ['a@example.com'], role: 'OWNER' });
      expect(admin).toMatchObject({ status: 403, body: { code: 'role_not_grantable' } });
    });

    it.each([
      ['owner', { owner: 200, admin: 200, member: 200 }],
      ['admin', { owner: 403, admin: 200, member: 200 }],
      ['member', { owner: 403, admin: 403, member: 403 }],
    ] as const)('or not by the role of the caller and the one they give: %s', async (role, statuses) => {
      const who = await caller(role);
      for (const [granted, status] of Object.entries(statuses)) {
        const response = await invite(who, { emails: [`${granted}@example.com`], role: granted });
        expect([granted, response.status]).toEqual([granted, status]);
      }
    });

    it('with 403 for a key bound to another organization', async () => {
      const who = await caller();
      const bound = await makeKey(service.db, who.userId, { orgId: (await makeOrg(service.db)).id });
      expect(await invite({ ...who, key: bound.key }, { emails: ['a@example.com'] })).toMatchObject({
        status: 403,
      });
    });

    it('with 401 before its body is read', async () => {
      expect(await invite({ ...(await caller()), key: 'ocs_x' }, undefined, { raw: '{' })).toMatchObject({
        status: 401,
      });
    });

    it('with 422 for faults of the request, before permissions that depend on the body', async () => {
      const admin = await caller('admin');
      const response = await invite(admin, { emails: ['a@example.com', 'x'], role: 'owner' });
      expect(response).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'emails', 1] }] } });
      expect(await invite(admin, { emails: [] })).toMatchObject({ status: 422 });
      const tooMany = Array.from({ length: 101 }, (_, i) => `p${i}@example.com`);
      expect(await invite(admin, { emails: tooMany })).toMatchObject({ status: 422 });
    });

    it('with 400 before 403 when the role is none', async () => {
      expect(await invite(await caller('admin'), { emails: ['a@example.com'], role: 'king' })).toMatchObject({
        status: 400,
      });
    });

    it('with 429 beyond the limits, saying when to come back', async () => {
      const who = await caller();
      await invite(who, { emails: Array.from({ length: 100 }, (_, i) => `p${i}@example.com`) });
      const response = await invite(who, { emails: ['a@example.com'] });
      expect(response).toMatchObject({ status: 429, body: { code: 'invitation_limit_reached' } });
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(3_000);
      expect(response.headers['ratelimit-remaining']).toBe('0');
    });
  });

  it('is followed by list, resend and revoke', async () => {
    const who = await caller();
    const made = (await invite(who, { emails: ['a@example.com'] })).body.successful[0]!;
    const listed = await call<{ items: InvitationResponse[] }>(service, 'GET', path(who.orgId), {
      key: who.key,
    });
    expect(listed).toMatchObject({ status: 200, body: { items: [made], next_page_id: null } });
    const again = await call<InvitationResponse>(service, 'POST', path(who.orgId, `/${made.id}/resend`), {
      key: who.key,
    });
    expect(again).toMatchObject({ status: 200, body: { id: made.id, status: 'pending' } });
    expect(again.headers['ratelimit-remaining']).toBe('98');
    const revoke = () => call(service, 'DELETE', path(who.orgId, `/${made.id}`), { key: who.key });
    expect(await revoke()).toMatchObject({ status: 204, body: null });
    expect(await revoke()).toMatchObject({ status: 409, body: { code: 'invitation_not_pending' } });
    const unknown = await call(service, 'DELETE', path(who.orgId, '/999999999'), { key: who.key });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'invitation_not_found' } });
  });

  it('shows a link to those who may invite with its role, and to nobody else', async () => {
    const owner = await caller('owner');
    await invite(owner, { emails: ['member@example.com'] });
    await invite(owner, { emails: ['owner@example.com'], role: 'owner' });
    const admin = await makeCaller(service.db, owner.orgId, 'admin');
    const links = async (who: TestCaller): Promise<readonly (readonly [string, boolean])[]> => {
      const listed = await call<{ items: InvitationResponse[] }>(service, 'GET', path(who.orgId), {
        key: who.key,
      });
      return listed.body.items.map(({ role, invite_url }) => [role, invite_url !== null] as const);
    };
    expect(await links(owner)).toEqual([
      ['owner', true],
      ['member', true],
    ]);
    expect(await links(admin)).toEqual([
      ['owner', false],
      ['member', true],
    ]);
  });

  it('is closed to plain members in all its parts', async () => {
    const who = await caller('member');
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', '/1'],
      ['POST', '/1/resend'],
    ] as const)
      expect(await call(service, method, path(who.orgId, rest), { key: who.key })).toMatchObject({
        status: 403,
      });
  });
});
