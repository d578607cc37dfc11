import type { Caller, OrgContext, Role } from '../../../src/kernel/auth';
import { digestOf } from '../../../src/kernel/common';
import { InviteService } from '../../../src/accounts/invitations/invite/invite.service';
import { InvitationLimitError } from '../../../src/accounts/invitations/record/invitations.errors';
import { PendingInvitationsService } from '../../../src/accounts/invitations/pending/pending-invitations.service';
import { statementsOf } from '../../support/database/statements-of';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg, makeUser } from '../../support/service/factories';
import { standing } from '../../support/standing';

interface Inviter {
  readonly caller: Caller;
  readonly org: OrgContext;
}

describe('batches of invitations', () => {
  let service: TestApp;
  let invitations: InviteService;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' } });
    invitations = service.app.get(InviteService);
  });
  afterAll(() => service.close());

  async function inviter(role: Role = 'owner'): Promise<Inviter> {
    const { id } = await makeOrg(service.db);
    return colleague(id, role);
  }

  async function colleague(orgId: string, role: Role): Promise<Inviter> {
    const { userId, email, keyId } = await makeCaller(service.db, orgId, role);
    const caller = {
      userId,
      email,
      name: null,
      keyId,
      keyName: null,
      keyExpiresAt: null,
      boundOrgId: null,
      letInBy: null,
      identityProviderId: null,
      scopes: null,
      addresses: null,
      ownKey: null,
      currentOrgId: null,
    };
    return { caller: { ...caller, selectedOrgId: null }, org: { orgId, ...standing(role) } };
  }

  async function invite({ caller, org }: Inviter, emails: string[], role = 'member') {
    return invitations.invite(caller, org, { emails, role });
  }

  const addresses = (count: number, name = 'person'): string[] =>
    Array.from({ length: count }, (_, i) => `${name}-${i}@example.com`);

  it('give every address an invitation of its own, in the order of the request', async () => {
    const who = await inviter();
    const { body: response } = await invite(who, ['b@example.com', 'A@example.com'], 'ADMIN');
    expect(response).toEqual({
      successful: [
        expect.objectContaining({
          email: 'b@example.com',
          role: 'admin',
          status: 'pending',
          mail_status: 'none',
        }),
        expect.objectContaining({ email: 'a@example.com', inviter_email: who.caller.email }),
      ],
      failed: [],
      email_delivery_configured: false,
    });
    const [first] = response.successful;
    expect(Date.parse(first!.expires_at) - Date.parse(first!.created_at)).toBe(7 * 24 * 3600 * 1000);
  });

  it('keep of a token nothing but its digest', async () => {
    const { body: response } = await invite(await inviter(), ['a@example.com']);
    const [made] = response.successful;
    const token = new URL(made!.invite_url!).searchParams.get('token')!;
    expect(token).toMatch(/^inv-[0-9A-Za-z]{48}$/);
    const [row] = await service.db.query<[object]>('SELECT * FROM invitations WHERE id = $1', [made!.id]);
    expect(row).toMatchObject({ token_digest: digestOf(token) });
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it('name members and repetitions as failed, in the spelling of the request', async () => {
    const who = await inviter();
    const member = await makeMember(
      service.db,
      who.org.orgId,
      'member',
      await makeUser(service.db, { email: 'known@example.com' }),
    );
    const { body: response } = await invite(who, [
      'Known@Example.com',
      'new@example.com',
      ' NEW@example.com ',
    ]);
    expect(member.email).toBe('known@example.com');
    expect(response.successful.map(({ email }) => email)).toEqual(['new@example.com']);
    expect(response.failed).toEqual([
      { email: 'Known@Example.com', error: expect.any(String) as string, code: 'already_member' },
      { email: ' NEW@example.com ', error: expect.any(String) as string, code: 'duplicate_in_batch' },
    ]);
  });

  it('renew a pending invitation instead of making another', async () => {
    const who = await inviter();
    const first = (await invite(who, ['a@example.com'])).body.successful[0]!;
    const second = (await invite(who, ['a@example.com', 'b@example.com'], 'admin')).body.successful;
    expect(second[0]).toMatchObject({ id: first.id, role: 'admin' });
    expect(second[0]!.invite_url).not.toBe(first.invite_url);
    expect(second[1]!.id).not.toBe(first.id);
  });

  it('that come at once for the same addresses leave one pending invitation each', async () => {
    const who = await inviter('admin');
    const others = await Promise.all([colleague(who.org.orgId, 'owner'), colleague(who.org.orgId, 'admin')]);
    const emails = addresses(10);
    const responses = await Promise.all(
      [who, ...others, who].map((one, i) => invite(one, i % 2 ? [...emails].reverse() : emails)),
    );
    expect(responses.every(({ body: response }) => response.successful.length === 10)).toBe(true);
    const rows = await service.db.query<{ generation: number }[]>(
      'SELECT generation FROM invitations WHERE org_id = $1',
      [who.org.orgId],
    );
    expect(rows.map(({ generation }) => generation)).toEqual(Array(10).fill(4));
  });

  it('cannot be doubled past the constraint', async () => {
    const who = await inviter();
    await invite(who, ['a@example.com']);
    const copy = service.db.query(
      `INSERT INTO invitations (org_id, email, role, generation, token_digest, inviter_user_id, expires_at, mail_status)
       SELECT org_id, email, role, 1, repeat('0', 64), inviter_user_id, expires_at, 'none' FROM invitations
        WHERE org_id = $1`,
      [who.org.orgId],
    );
    await expect(copy).rejects.toThrow('invitations_pending_key');
  });

  it.each([
    ['admin', 'owner'],
    ['member', 'member'],
  ] as const)('of a %s as %s are refused', async (role, granted) => {
    await expect(invite(await inviter(role), ['a@example.com'], granted)).rejects.toMatchObject({
      status: 403,
    });
  });

  it('with a role that is none are refused', async () => {
    await expect(invite(await inviter(), ['a@example.com'], 'boss')).rejects.toMatchObject({
      status: 400,
      code: 'invalid_role',
    });
  });

  it('go by the role the inviter has now, not by one that was remembered', async () => {
    const who = await inviter('owner');
    await service.db.query(`UPDATE org_members SET role = 'admin' WHERE user_id = $1`, [who.caller.userId]);
    await expect(invite(who, ['a@example.com'], 'owner')).rejects.toMatchObject({ status: 403 });
  });

  it('to an organization that is gone meanwhile are refused with 400', async () => {
    const who = await inviter();
    await service.db.query('DELETE FROM organizations WHERE id = $1', [who.org.orgId]);
    await expect(invite(who, ['a@example.com'])).rejects.toMatchObject({ status: 400 });
  });

  it('of 100 addresses take as many queries as of one, and at most seven', async () => {
    const who = await inviter();
    const few = await statementsOf(() => invite(who, ['one@example.com']));
    const many = await statementsOf(() => invite(who, addresses(99)));
    expect(many).toBe(few);
    expect(many).toBeLessThanOrEqual(7);
  });

  describe('and their limits', () => {
    it('let 100 addresses in an hour through and not one more', async () => {
      const who = await inviter();
      const { headers } = await invite(who, addresses(60));
      expect(headers).toMatchObject({ 'RateLimit-Limit': '100', 'RateLimit-Remaining': '40' });
      const refused = await invite(await colleague(who.org.orgId, 'admin'), addresses(41, 'late')).catch(
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(InvitationLimitError);
      expect(refused).toMatchObject({
        status: 429,
        headers: { 'RateLimit-Remaining': '40' },
      });
      // The hour has begun with the first call.
      const wait = Number((refused as InvitationLimitError).headers['Retry-After']);
      expect(wait).toBeGreaterThan(3_500);
      expect(wait).toBeLessThanOrEqual(3_600);
      expect((await invite(who, addresses(40, 'late'))).body.successful).toHaveLength(40);
    });

    it('slide: budget is back when calls are an hour old', async () => {
      const who = await inviter();
      await invite(who, addresses(100));
      await age(who, '59 minutes 50 seconds');
      const refused: unknown = await invite(who, ['a@example.com']).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(InvitationLimitError);
      expect(Number((refused as InvitationLimitError).headers['Retry-After'])).toBeLessThanOrEqual(10);
      await age(who, '10 seconds');
      expect((await invite(who, ['a@example.com'])).body.successful).toHaveLength(1);
    });

    it('count no address that was not invited', async () => {
      const who = await inviter();
      const { headers } = await invite(who, [who.caller.email ?? '', 'a@example.com', 'a@example.com']);
      expect(headers['RateLimit-Remaining']).toBe('99');
    });

    it('let 30 calls in a minute through, over all organizations of the inviter', async () => {
      const who = await inviter();
      const elsewhere = await makeOrg(service.db);
      await makeMember(service.db, elsewhere.id, 'owner', { id: who.caller.userId, email: '', name: null });
      for (let i = 0; i < 29; i++) await invite(who, ['a@example.com']);
      const other = { caller: who.caller, org: { orgId: elsewhere.id, ...standing('owner') } };
      await invite(other, ['a@example.com']);
      const refused: unknown = await invite(who, ['a@example.com']).catch((error: unknown) => error);
      expect(refused).toMatchObject({ status: 429, headers: { 'RateLimit-Limit': '30' } });
      expect(Number((refused as InvitationLimitError).headers['Retry-After'])).toBeLessThanOrEqual(60);
      await expect(invite(other, ['a@example.com'])).rejects.toMatchObject({ status: 429 });
    });

    it('hold when calls come at once, on several replicas, and refused calls leave nothing', async () => {
      const who = await inviter();
      const replica = await startTestApp({ env: { APP_ROLE: 'api' }, database: service.database });
      const replicas = [invitations, replica.app.get(InviteService)];
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, i) =>
          replicas[i % 2]!.invite(who.caller, who.org, {
            emails: addresses(30, `batch-${i}`),
            role: 'member',
          }),
        ),
      );
      await replica.close();
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      const [counts] = await service.db.query<[object]>(
        `SELECT (SELECT count(*)::int FROM invitations WHERE org_id = $1) AS invitations,
                (SELECT count(*)::int FROM invitation_calls WHERE org_id = $1) AS calls`,
        [who.org.orgId],
      );
      expect(counts).toEqual({ invitations: 90, calls: 3 });
    });

    async function age(who: Inviter, by: string): Promise<void> {
      await service.db.query(
        `UPDATE invitation_calls SET called_at = called_at - $2::interval WHERE org_id = $1`,
        [who.org.orgId, by],
      );
    }
  });

  describe('afterwards', () => {
    let pending: PendingInvitationsService;
    beforeAll(() => (pending = service.app.get(PendingInvitationsService)));

    it('are listed newest first, page by page, without those that are over', async () => {
      const who = await inviter();
      const made = (await invite(who, addresses(5))).body.successful;
      await pending.revoke(who.caller, who.org, String(made[1]!.id));
      await service.db.query(`UPDATE invitations SET expires_at = now() WHERE id = $1`, [made[3]!.id]);
      const first = await pending.list(who.caller, who.org, null, 2);
      expect(first.items.map(({ id }) => id)).toEqual([made[4]!.id, made[2]!.id]);
      expect(first.items[0]!.invite_url).toBe(made[4]!.invite_url);
      const second = await pending.list(who.caller, who.org, first.next_page_id, 2);
      expect(second).toMatchObject({ items: [{ id: made[0]!.id }], next_page_id: null });
    });

    it('hide links to become owner from admins', async () => {
      const owner = await inviter();
      await invite(owner, ['a@example.com'], 'owner');
      const admin = await colleague(owner.org.orgId, 'admin');
      expect((await pending.list(admin.caller, admin.org, null, 10)).items).toMatchObject([
        { role: 'owner', invite_url: null },
      ]);
      const [invitation] = (await pending.list(owner.caller, owner.org, null, 10)).items;
      await expect(pending.resend(admin.caller, admin.org, String(invitation!.id))).rejects.toMatchObject({
        status: 403,
      });
    });

    it('are revoked once', async () => {
      const who = await inviter();
      const [made] = (await invite(who, ['a@example.com'])).body.successful;
      await pending.revoke(who.caller, who.org, String(made!.id));
      await expect(pending.revoke(who.caller, who.org, String(made!.id))).rejects.toMatchObject({
        status: 409,
        code: 'invitation_not_pending',
      });
    });

    it.each([
      ['accepted', `UPDATE invitations SET status = 'accepted' WHERE id = $1`, 409, 409],
      ['revoked', `UPDATE invitations SET status = 'revoked' WHERE id = $1`, 409, 409],
      ['expired', 'UPDATE invitations SET expires_at = now() WHERE id = $1', 409, null],
    ])('when %s are not revoked, and only expired ones are renewed', async (_, sql, revoked, renewed) => {
      const who = await inviter();
      const [made] = (await invite(who, ['a@example.com'])).body.successful;
      await service.db.query(sql, [made!.id]);
      const statusOf = (done: Promise<unknown>): Promise<unknown> =>
        done.then(
          () => null,
          (error: unknown) => (error as { status: number }).status,
        );
      expect(await statusOf(pending.revoke(who.caller, who.org, String(made!.id)))).toBe(revoked);
      expect(await statusOf(pending.resend(who.caller, who.org, String(made!.id)))).toBe(renewed);
    });

    it('are renewed by a resend, also when expired, and within the limits', async () => {
      const who = await inviter();
      const [made] = (await invite(who, addresses(99))).body.successful;
      await service.db.query(`UPDATE invitations SET expires_at = now() WHERE id = $1`, [made!.id]);
      const { body: response, headers } = await pending.resend(who.caller, who.org, String(made!.id));
      expect(response).toMatchObject({ id: made!.id, status: 'pending' });
      expect(response.invite_url).not.toBe(made!.invite_url);
      expect(headers['RateLimit-Remaining']).toBe('0');
      await expect(pending.resend(who.caller, who.org, String(made!.id))).rejects.toMatchObject({
        status: 429,
      });
    });

    it.each(['0', '999999999', 'x', '1e3', '99999999999999999999'])('are not found under %s', async (id) => {
      const who = await inviter();
      await expect(pending.revoke(who.caller, who.org, id)).rejects.toMatchObject({ status: 404 });
    });

    it('of another organization are not found', async () => {
      const [foreign] = (await invite(await inviter(), ['a@example.com'])).body.successful;
      const who = await inviter();
      await expect(pending.resend(who.caller, who.org, String(foreign!.id))).rejects.toMatchObject({
        status: 404,
      });
    });
  });
});
