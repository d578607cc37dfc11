import { startTestApp, type TestApp } from '../../support/service/app';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { inviteOne, tokenOf } from '../../support/invitations/invitations';

describe('POST /api/organizations/members/invite/accept', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp({ env: { APP_ROLE: 'api' } })));
  afterAll(() => service.close());

  async function owner(): Promise<TestCaller> {
    return makeCaller(service.db, (await makeOrg(service.db, { name: 'Acme' })).id, 'owner');
  }

  async function person(fields: Parameters<typeof makeUser>[1] = {}) {
    const user = await makeUser(service.db, fields);
    return { ...user, key: (await makeKey(service.db, user.id)).key };
  }

  function accept(who: { readonly key: string }, token: string) {
    return call<ErrorBody>(service, 'POST', '/api/organizations/members/invite/accept', {
      key: who.key,
      body: { token },
    });
  }

  async function memberRole(orgId: string, userId: string): Promise<string | null> {
    const [row] = await service.db.query<{ role: string }[]>(
      'SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2',
      [orgId, userId],
    );
    return row?.role ?? null;
  }

  it('makes the caller a member with the role of the invitation', async () => {
    const [inviter, invited] = [await owner(), await person()];
    const token = tokenOf(await inviteOne(service, inviter, invited.email, 'admin'));
    expect(await accept(invited, token)).toMatchObject({
      status: 200,
      body: { success: true, org_id: inviter.orgId, org_name: 'Acme', role: 'admin' },
    });
    expect(await memberRole(inviter.orgId, invited.id)).toBe('admin');
  });

  it('works with a key that is bound to another organization', async () => {
    const [inviter, elsewhere] = [await owner(), await owner()];
    const bound = await makeKey(service.db, elsewhere.userId, { orgId: elsewhere.orgId });
    const token = tokenOf(await inviteOne(service, inviter, elsewhere.email));
    expect(await accept(bound, token)).toMatchObject({ status: 200 });
  });

  it.each(['', 'inv-', `inv-${'0'.repeat(48)}`, `inv-${'0'.repeat(48)} `, 'x'.repeat(10_000)])(
    'answers 400 invitation_invalid for the unknown token %#',
    async (token) => {
      expect(await accept(await person(), token)).toMatchObject({
        status: 400,
        body: { code: 'invitation_invalid' },
      });
    },
  );

  it('answers 400 invitation_invalid for a link that was replaced, revoked or used', async () => {
    const [inviter, invited] = [await owner(), await person()];
    const first = tokenOf(await inviteOne(service, inviter, invited.email));
    const second = await inviteOne(service, inviter, invited.email);
    expect(await accept(invited, first)).toMatchObject({ status: 400, body: { code: 'invitation_invalid' } });
    await call(service, 'DELETE', `/api/organizations/${inviter.orgId}/members/invite/${second.id}`, {
      key: inviter.key,
    });
    expect(await accept(invited, tokenOf(second))).toMatchObject({
      status: 400,
      body: { code: 'invitation_invalid' },
    });
    const third = tokenOf(await inviteOne(service, inviter, invited.email));
    expect(await accept(invited, third)).toMatchObject({ status: 200 });
    expect(await accept(invited, third)).toMatchObject({ status: 400, body: { code: 'invitation_invalid' } });
  });

  it('answers 400 invitation_expired after seven days', async () => {
    const [inviter, invited] = [await owner(), await person()];
    const made = await inviteOne(service, inviter, invited.email);
    await service.db.query(`UPDATE invitations SET expires_at = now() - interval '1 ms' WHERE id = $1`, [
      made.id,
    ]);
    expect(await accept(invited, tokenOf(made))).toMatchObject({
      status: 400,
      body: { code: 'invitation_expired' },
    });
  });

  it('answers 403 email_mismatch to anybody but the invited, the inviter included', async () => {
    const [inviter, invited] = [await owner(), await person()];
    const token = tokenOf(await inviteOne(service, inviter, invited.email));
    for (const other of [await person(), inviter])
      expect(await accept(other, token)).toMatchObject({ status: 403, body: { code: 'email_mismatch' } });
  });

  it('answers 409 already_member to who became one by other means', async () => {
    const [inviter, invited] = [await owner(), await person()];
    const token = tokenOf(await inviteOne(service, inviter, invited.email));
    await makeMember(service.db, inviter.orgId, 'member', invited);
    expect(await accept(invited, token)).toMatchObject({ status: 409, body: { code: 'already_member' } });
  });

  it('answers 403 to an account whose address was never verified, except in its own organization', async () => {
    const [inviter, other] = [await owner(), await owner()];
    const invited = await person({ confinedToOrgId: other.orgId });
    const elsewhere = tokenOf(await inviteOne(service, inviter, invited.email));
    expect(await accept(invited, elsewhere)).toMatchObject({
      status: 403,
      body: { code: 'address_unproved' },
    });
    const own = tokenOf(await inviteOne(service, other, invited.email));
    expect(await accept(invited, own)).toMatchObject({ status: 200 });
  });

  it.each([
    ['lost the role to grant it', `UPDATE org_members SET role = 'admin' WHERE user_id = $1`],
    ['left', 'DELETE FROM org_members WHERE user_id = $1'],
    ['was disabled', 'UPDATE users SET disabled_at = now() WHERE id = $1'],
  ])('asks again for the right of the inviter: not valid when they %s', async (_, sql) => {
    const [inviter, invited] = [await owner(), await person()];
    const token = tokenOf(await inviteOne(service, inviter, invited.email, 'owner'));
    await service.db.query(sql, [inviter.userId]);
    expect(await accept(invited, token)).toMatchObject({ status: 400, body: { code: 'invitation_invalid' } });
    expect(await memberRole(inviter.orgId, invited.id)).toBeNull();
  });

  it('answers 400 when the organization is gone', async () => {
    const [inviter, invited] = [await owner(), await person()];
    const token = tokenOf(await inviteOne(service, inviter, invited.email));
    await service.db.query('DELETE FROM organizations WHERE id = $1', [inviter.orgId]);
    expect(await accept(invited, token)).toMatchObject({ status: 400, body: { code: 'invitation_invalid' } });
  });

  it('needs a key', async () => {
    expect(await accept({ key: 'ocs_x' }, 'inv-x')).toMatchObject({ status: 401 });
  });

  describe('at the same time', () => {
    it('as itself: one succeeds', async () => {
      const [inviter, invited] = [await owner(), await person()];
      const token = tokenOf(await inviteOne(service, inviter, invited.email));
      const responses = await Promise.all(Array.from({ length: 6 }, () => accept(invited, token)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    });

    it('as a revocation: either it is accepted and cannot be revoked, or the other way round', async () => {
      for (let i = 0; i < 12; i++) {
        const [inviter, invited] = [await owner(), await person()];
        const made = await inviteOne(service, inviter, invited.email);
        const revoke = () =>
          call(service, 'DELETE', `/api/organizations/${inviter.orgId}/members/invite/${made.id}`, {
            key: inviter.key,
          });
        const both = [() => accept(invited, tokenOf(made)), revoke];
        const [first, second] = await Promise.all((i % 2 ? both : both.reverse()).map((act) => act()));
        const [accepted, revoked] = i % 2 ? [first, second] : [second, first];
        const isMember = (await memberRole(inviter.orgId, invited.id)) !== null;
        expect([accepted!.status, revoked!.status, isMember]).toEqual(
          isMember ? [200, 409, true] : [400, 204, false],
        );
      }
    });

    it('as a renewal: the old link is accepted before it, or not at all', async () => {
      for (let i = 0; i < 8; i++) {
        const [inviter, invited] = [await owner(), await person()];
        const made = await inviteOne(service, inviter, invited.email);
        const [accepted, renewed] = await Promise.all([
          accept(invited, tokenOf(made)),
          inviteOne(service, inviter, invited.email).catch(() => null),
        ]);
        const isMember = (await memberRole(inviter.orgId, invited.id)) !== null;
        expect(accepted.status).toBe(isMember ? 200 : 400);
        if (!isMember) expect(renewed).toMatchObject({ id: made.id });
      }
    });

    it('as the end of the organization: never a member of nothing, never a 500', async () => {
      for (let i = 0; i < 8; i++) {
        const [inviter, invited] = [await owner(), await person()];
        const token = tokenOf(await inviteOne(service, inviter, invited.email));
        const [response] = await Promise.all([
          accept(invited, token),
          service.db.query('DELETE FROM organizations WHERE id = $1', [inviter.orgId]),
        ]);
        expect([200, 400]).toContain(response.status);
        expect(await memberRole(inviter.orgId, invited.id)).toBeNull();
      }
    });
  });
});
