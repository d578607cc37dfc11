import { Injectable, Logger, Module } from '@nestjs/common';
import { CredentialVerifiers, type ExternalVerifier, type VerifiedPerson } from '../../../src/kernel/auth';
import {
  type EmailMessage,
  Mailer,
  MailModule,
  type MailOutcome,
  type MailTransport,
} from '../../../src/accounts/mail';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeMember, makeOrg, makeUser } from '../../support/service/factories';
import { call } from '../../support/service/http';

/** Knows `badge ADDRESS`, until a time it is told. */
@Injectable()
class BadgeVerifier implements ExternalVerifier {
  readonly name = 'badge';
  expiresAt: Date | null = null;

  constructor(verifiers: CredentialVerifiers) {
    verifiers.register(this);
  }

  verify(credential: string): Promise<VerifiedPerson | null> {
    const email = /^badge (.+)$/.exec(credential)?.[1];
    return Promise.resolve(email === undefined ? null : { email, expiresAt: this.expiresAt });
  }
}

/** Knows nobody, and takes as long as it is told to. */
@Injectable()
class SlowVerifier implements ExternalVerifier {
  readonly name = 'slow';
  answer: Promise<null> = Promise.resolve(null);
  signal: AbortSignal | undefined;

  constructor(verifiers: CredentialVerifiers) {
    verifiers.register(this);
  }

  verify(_: string, signal: AbortSignal): Promise<null> {
    this.signal = signal;
    return this.answer;
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

@Module({ imports: [MailModule], providers: [BadgeVerifier, SlowVerifier, Outbox] })
class AdaptersModule {}

describe('what an extension puts in place of something of the service', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { LOG_LEVEL: 'silent', APP_ROLE: 'api' }, extensions: [AdaptersModule] });
  });
  afterAll(() => app.close());

  const me = (credential: string) =>
    call<{ email: string; role: string }>(app, 'GET', '/api/v1/users/me', { key: credential });

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

  it('is a verifier: one that hangs is given up after five seconds, and what it does later harms nobody', async () => {
    const { id } = await makeOrg(app.db);
    const { email } = await makeMember(app.db, id);
    const slow = app.app.get(SlowVerifier);
    const warn = jest.spyOn(Logger.prototype, 'warn');
    let fail: (reason: Error) => void = () => undefined;
    slow.answer = new Promise((_, reject) => (fail = reject));
    const [hanging, known] = await Promise.all([me('unknown'), me(`badge ${email}`)]);
    expect([hanging.status, hanging.body]).toEqual([
      503,
      expect.objectContaining({ code: 'credential_verifier_unavailable' }),
    ]);
    expect([hanging.headers['retry-after'], slow.signal?.aborted, known.status]).toEqual(['5', true, 200]);
    expect(warn).toHaveBeenCalledWith({ verifier: 'slow' }, 'A credential verifier did not answer in time');
    fail(new Error('late')); // an unhandled rejection would end this process
    slow.answer = Promise.resolve(null);
    expect((await me('unknown again')).status).toBe(401);
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
