import { InviteService } from '../../../src/accounts/invitations/invite/invite.service';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { runNow } from '../../support/service/recurring-jobs';
import { standing } from '../../support/standing';

describe('invitations that are over', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  const cleanUp = (): Promise<void> => runNow(service.db, 'invitations-clean-up');

  it('are kept for 90 days after their last day, then forgotten; what limits count stays', async () => {
    const { userId, email, keyId, orgId } = await makeCaller(
      service.db,
      (await makeOrg(service.db)).id,
      'owner',
    );
    const caller = {
      userId,
      email,
      name: null,
      keyId,
      keyExpiresAt: null,
      boundOrgId: null,
      scopes: null,
      addresses: null,
      ownKey: null,
      letInBy: null,
      identityProviderId: null,
    };
    const who = { ...caller, currentOrgId: null, selectedOrgId: null };
    const org = { orgId, ...standing('owner') };
    const kept: string[] = [];
    const gone: string[] = [];
    for (const [status, days, list] of [
      ['pending', -6, kept],
      ['pending', 89, kept],
      ['pending', 91, gone],
      ['accepted', 89, kept],
      ['accepted', 91, gone],
      ['revoked', 89, kept],
      ['revoked', 91, gone],
    ] as const) {
      const address = `${status}.${days}@example.com`;
      const invite = { emails: [address], role: 'member' };
      const { body: response } = await service.app.get(InviteService).invite(who, org, invite);
      await service.db.query(
        `UPDATE invitations SET status = $2, expires_at = now() - $3 * interval '1 day' WHERE id = $1`,
        [response.successful[0]!.id, status, days],
      );
      list.push(address);
    }
    await cleanUp();
    const left = await service.db.query<{ email: string }[]>(
      'SELECT email FROM invitations WHERE org_id = $1 ORDER BY id',
      [orgId],
    );
    expect(left.map((row) => row.email)).toEqual(kept);
    const next = await service.app
      .get(InviteService)
      .invite(who, org, { emails: ['next@example.com'], role: 'member' });
    expect(next.headers['RateLimit-Remaining']).toBe(String(100 - kept.length - gone.length - 1));
  });

  it('are forgotten all in one go, however many', async () => {
    const { userId, orgId } = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    await service.db.query(
      `INSERT INTO invitations (org_id, email, role, status, generation, token_digest, inviter_user_id, expires_at, mail_status)
       SELECT $1, n || '@example.com', 'member', 'revoked', 1, encode(sha256(n::text::bytea), 'hex'), $2,
              now() - interval '91 days', 'sent' FROM generate_series(1, 10001) AS n`,
      [orgId, userId],
    );
    await cleanUp();
    const [{ left }] = await service.db.query<[{ left: number }]>(
      'SELECT count(*)::integer AS left FROM invitations WHERE org_id = $1',
      [orgId],
    );
    expect(left).toBe(0);
  });
});
