import { Injectable, Logger, Module } from '@nestjs/common';
import { ApiKeysModule, KeyPolicies, type KeyPolicy, type WantedKey } from '../../../src/accounts/api-keys';
import { AppError } from '../../../src/kernel/common';
import {
  type Caller,
  CredentialVerifiers,
  type ExternalVerifier,
  type RequestHeaders,
  type Role,
  type VerifiedPerson,
} from '../../../src/kernel/auth';
import {
  type EmailMessage,
  Mailer,
  MailModule,
  type MailOutcome,
  type MailTransport,
} from '../../../src/accounts/mail';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg, makeUser } from '../../support/service/factories';
import { call } from '../../support/service/http';

/** Knows `badge ADDRESS`, until a time and in an organization that it is told, where `X-Device` is not a stolen one. */
@Injectable()
class BadgeVerifier implements ExternalVerifier {
  readonly name = 'badge';
  expiresAt: Date | null = null;
  orgId: string | undefined;
  role: Role | undefined;

  constructor(verifiers: CredentialVerifiers) {
    verifiers.register(this);
  }

  verify(credential: string, _: AbortSignal, headers: RequestHeaders): Promise<VerifiedPerson | null> {
    const email = /^badge (.+)$/.exec(credential)?.[1];
    if (email === undefined || headers['x-device'] === 'stolen') return Promise.resolve(null);
    return Promise.resolve({
      email,
      expiresAt: this.expiresAt,
      ...(this.orgId !== undefined && { orgId: this.orgId }),
      ...(this.role !== undefined && { role: this.role }),
    });
  }
}

/** Knows nobody, and takes as long as it is told to. */
@Injectable()
class SlowVerifier implements ExternalVerifier {
  readonly name = 'slow';
  answer: () => Promise<null> = () => Promise.resolve(null);
  readonly signals = new Map<string, AbortSignal>();

  constructor(verifiers: CredentialVerifiers) {
    verifiers.register(this);
  }

  verify(credential: string, signal: AbortSignal): Promise<null> {
    this.signals.set(credential, signal);
    return this.answer();
  }
}

/** Fails the first email. */
@Injectable()
class Outbox implements MailTransport {
  readonly taken: EmailMessage[] = [];

  constructor(mailer: Mailer) {
    mailer.use(this);
  }

  send(email: EmailMessage): Promise<MailOutcome> {
    this.taken.push(email);
    return this.taken.length === 1 ? Promise.reject(new Error('full')) : Promise.resolve({ kind: 'sent' });
  }
}

/** Lets keys of one organization be made only. */
@Injectable()
class BoundKeys implements KeyPolicy {
  readonly asked: WantedKey[] = [];

  constructor(policies: KeyPolicies) {
    policies.use(this);
  }

  check(_: Caller, wanted: WantedKey): Promise<void> {
    this.asked.push(wanted);
    return wanted.orgId === null
      ? Promise.reject(new AppError(403, 'acme_key_unbound', 'A key is for one organization here.'))
      : Promise.resolve();
  }
}

@Module({
  imports: [ApiKeysModule, MailModule],
  providers: [SlowVerifier, BadgeVerifier, BoundKeys, Outbox],
})
class AdaptersModule {}

describe('what an extension puts in place of something of the service', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({
      env: { LOG_LEVEL: 'silent', APP_ROLE: 'api', FAILED_CREDENTIALS_PER_MINUTE: '12' },
      extensions: [AdaptersModule],
    });
  });
  afterAll(() => app.close());

  const me = (credential: string, headers: Readonly<Record<string, string>> = {}) =>
    call<{ email: string; role: string; org_id: string }>(app, 'GET', '/api/v1/users/me', {
      key: credential,
      headers,
    });

  it('is a policy of keys: it refuses what a user would make, and nothing is made', async () => {
    const { key, orgId } = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const expires_at = '2099-01-01T00:00:00.000Z';
    const make = (fields: object) =>
      call(app, 'POST', '/api/keys', { key, body: { name: 'k', expires_at, ...fields } });
    expect(await make({ org_id: null })).toMatchObject({ status: 403, body: { code: 'acme_key_unbound' } });
    expect((await make({})).status).toBe(200);
    const expiresAt = new Date(expires_at);
    const others = { notBefore: null, expiresAt, scopes: null, addressRanges: null };
    expect(app.app.get(BoundKeys).asked).toEqual([
      { orgId: null, ...others },
      { orgId, ...others },
    ]);
    expect((await call<object[]>(app, 'GET', '/api/keys', { key })).body).toHaveLength(2);
    expect(() => app.app.get(KeyPolicies).use(app.app.get(BoundKeys))).toThrow(
      'There are two extensions with a policy of keys.',
    );
  });

  it('is a verifier: it lets users in, who have one key of its name however many requests begin at once', async () => {
    const { id } = await makeOrg(app.db);
    const { email, id: userId } = await makeMember(app.db, id, 'admin');
    const answers = await Promise.all([me(`badge ${email}`), me(`badge ${email}`), me(`badge  ${email}`)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401]);
    expect(answers[0].body).toMatchObject({ email, role: 'admin' });
    const keys = await app.db.query<object[]>('SELECT name FROM api_keys WHERE user_id = $1', [userId]);
    expect(keys).toEqual([{ name: 'badge' }]);
    expect((await me(`badge ${userId}`)).status).toBe(401);
  });

  it('is a verifier: what it says has ended, or belongs to nobody, is a 401', async () => {
    const user = await makeUser(app.db);
    app.app.get(BadgeVerifier).expiresAt = new Date(Date.now() - 1);
    expect((await me(`badge ${user.email}`)).status).toBe(401);
    app.app.get(BadgeVerifier).expiresAt = null;
    expect((await me('badge nobody@example.com')).status).toBe(401);
    expect((await me('other')).status).toBe(401);
  });

  it('is a verifier: it takes addresses in any case, and sees all headers, which are no secret of the next request', async () => {
    const { id } = await makeOrg(app.db);
    const { email } = await makeMember(app.db, id);
    const badge = `badge ${email.toUpperCase()}`;
    const answers = [await me(badge), await me(badge, { 'X-Device': 'stolen' }), await me(badge)];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(answers[0]?.body).toMatchObject({ email });
  });

  it('is a verifier: a credential is bound to the organization that it names, and so is what is made with it', async () => {
    const [first, second, foreign] = [await makeOrg(app.db), await makeOrg(app.db), await makeOrg(app.db)];
    const { email, id: userId } = await makeMember(app.db, first.id, 'owner');
    await app.db.query(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'owner')`, [
      second.id,
      userId,
    ]);
    const verifier = app.app.get(BadgeVerifier);
    const error = jest.spyOn(Logger.prototype, 'error');
    try {
      verifier.orgId = second.id;
      const bound = `badge ${email}`;
      expect((await me(bound)).body).toMatchObject({ org_id: second.id });
      expect((await me(bound, { 'X-Org-Id': first.id })).body).toMatchObject({
        code: 'key_bound_to_other_organization',
      });
      const made = await call<{ key: string }>(app, 'POST', '/api/keys', { key: bound, body: { name: 'k' } });
      expect((await me(made.body.key, { 'X-Org-Id': first.id })).status).toBe(403);
      verifier.orgId = foreign.id;
      expect((await me(`badge ${email.toUpperCase()}`)).status).toBe(401);
      expect(error).toHaveBeenCalledWith(
        { verifier: 'badge', userId, orgId: foreign.id },
        'A credential verifier names an organization that its user is no member of, or no role',
      );
    } finally {
      verifier.orgId = undefined;
    }
  });

  it('is a verifier: the role that it names becomes that of the member, but for the last owner, and with one that works only', async () => {
    const { id } = await makeOrg(app.db);
    const [owner, member] = [await makeMember(app.db, id, 'owner'), await makeMember(app.db, id)];
    const verifier = app.app.get(BadgeVerifier);
    const roleOf = async (email: string, role: Role): Promise<unknown> => {
      verifier.role = role;
      // Another spelling is another credential: none is answered from memory.
      const badge = `badge ${email.toUpperCase()}${' '.repeat(asked++)}`;
      return (await call<{ role: string }>(app, 'GET', `/api/organizations/${id}/me`, { key: badge })).body
        .role;
    };
    let asked = 0;
    try {
      verifier.orgId = id;
      expect(await roleOf(member.email, 'admin')).toBe('admin');
      expect(await roleOf(owner.email, 'member')).toBe('owner');
      expect(await roleOf(member.email, 'owner')).toBe('owner');
      expect(await roleOf(owner.email, 'member')).toBe('member');
      verifier.expiresAt = new Date(Date.now() - 1_000);
      expect(await roleOf(owner.email, 'owner')).toBeUndefined();
      const [stored] = await app.db.query<{ role: string }[]>(
        'SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2',
        [id, owner.id],
      );
      expect(stored?.role).toBe('member');
    } finally {
      verifier.orgId = undefined;
      verifier.role = undefined;
      verifier.expiresAt = null;
    }
  });

  it('is a verifier: one that throws is named in the log, and touches nobody whom another one knows', async () => {
    const { id } = await makeOrg(app.db);
    const { email } = await makeMember(app.db, id);
    const slow = app.app.get(SlowVerifier);
    const error = jest.spyOn(Logger.prototype, 'error');
    const broken = new Error('broken');
    slow.answer = () => {
      throw broken;
    };
    expect((await me(`badge ${email}`)).status).toBe(200);
    expect((await me('unknown to all')).body).toMatchObject({ code: 'credential_verifier_unavailable' });
    expect(error).toHaveBeenCalledWith({ verifier: 'slow', err: broken }, 'A credential verifier failed');
    slow.answer = () => Promise.resolve(null);
  });

  it('is a verifier: one that hangs is given up after five seconds, and what it does later harms nobody', async () => {
    const { id } = await makeOrg(app.db);
    const { email } = await makeMember(app.db, id);
    const slow = app.app.get(SlowVerifier);
    const warn = jest.spyOn(Logger.prototype, 'warn');
    let fail: (reason: Error) => void = () => undefined;
    const late = new Promise<null>((_, reject) => (fail = reject));
    slow.answer = () => late;
    const asked = me('unknown');
    const known = await me(`badge ${email}`);
    const isTold = (credential: string) => slow.signals.get(credential)?.aborted;
    expect([known.status, isTold(`badge ${email}`), isTold('unknown')]).toEqual([200, true, false]);
    const hanging = await asked;
    expect([hanging.status, hanging.body]).toEqual([
      503,
      expect.objectContaining({ code: 'credential_verifier_unavailable' }),
    ]);
    expect([hanging.headers['retry-after'], isTold('unknown')]).toEqual(['5', true]);
    expect(warn).toHaveBeenCalledWith({ verifier: 'slow' }, 'A credential verifier did not answer in time');
    fail(new Error('late')); // an unhandled rejection would end this process
    slow.answer = () => Promise.resolve(null);
    expect((await me('unknown again')).status).toBe(401);
  });

  it('is a verifier: what it could not say counts as a failed credential of the address', async () => {
    app.app.get(SlowVerifier).answer = () => Promise.reject(new Error('broken'));
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 13)
      statuses.push((await me(`unknown ${statuses.length}`)).status);
    expect(new Set(statuses)).toEqual(new Set([503, 429]));
  });

  it('is a mail transport: emails are sent by it, and one that fails is tried again', async () => {
    const mailer = app.app.get(Mailer);
    expect(mailer.configured).toBe(true);
    const email = { to: 'a@example.com', subject: 'S', text: 'T', html: '<p>T</p>', id: 'email-1' };
    expect(await mailer.send(email)).toMatchObject({ kind: 'delayed' });
    expect(await mailer.send(email)).toEqual({ kind: 'sent' });
    expect(app.app.get(Outbox).taken).toEqual([email, email]);
  });

  it('is there once: a second one of its kind stops the start', () => {
    const verifier = app.app.get(BadgeVerifier);
    expect(() => app.app.get(CredentialVerifiers).register(verifier)).toThrow(
      'There are two credential verifiers named badge.',
    );
    expect(() => app.app.get(Mailer).use(app.app.get(Outbox))).toThrow(
      'There are two extensions with a mail transport.',
    );
  });
});
