import { answerWithin } from '../support/awake-clock';
import { newKey } from '../../src/accounts/api-keys/keys/key-format';
import { eventually } from '../support/eventually';
import { partsOf, type SmtpSink, startSmtpSink } from '../support/invitations/smtp-sink';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';
import { runNow } from '../support/service/recurring-jobs';
import { letIn } from '../support/sign-in/link-credentials';
import { FROM_OWN_PAGE, startSession } from '../support/web-interface/browser-cookie';

interface KeyBody extends ErrorBody {
  readonly id: number;
  readonly key: string;
  readonly name: string | null;
  readonly expires_at: string | null;
}

const HOUR_MS = 3_600_000;

let sink: SmtpSink;
let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  sink = await startSmtpSink();
  const env = { SMTP_URL: sink.url, MAIL_FROM: 'no-reply@acme.example', FAILED_CREDENTIALS_PER_MINUTE: '40' };
  app = await startTestApp({ env });
  replica = await startTestApp({ env: { ...env, APP_ROLE: 'api' }, database: app.database });
});
afterAll(async () => {
  await replica.close();
  await app.close();
  await sink.close();
});

const newCaller = async (): Promise<TestCaller> => makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
const rotate = (key: string, id: number, body: unknown = {}, headers = {}) =>
  call<KeyBody>(app, 'POST', `/api/keys/${id}/rotate`, { key, body, headers });
const list = async (key: string) => (await call<KeyBody[]>(app, 'GET', '/api/keys', { key })).body;
const works = async (key: string, at = app) => (await call(at, 'GET', '/api/keys/current', { key })).status;
const report = (key: unknown) =>
  call<{ message: string }>(app, 'POST', '/api/keys/report', { body: { key } });
const eventsOf = async (userId: string): Promise<string[]> => {
  const sql = `SELECT kind FROM domain_events WHERE event->>'user_id' = $1 ORDER BY id`;
  return (await app.db.query<{ kind: string }[]>(sql, [userId])).map(({ kind }) => kind);
};

describe('a key that is rotated', () => {
  it('is replaced by one like it, and works beside it until the grace time is over', async () => {
    const { key, orgId, userId } = await newCaller();
    const expiresAt = new Date(Date.now() + 24 * HOUR_MS);
    const old = await makeKey(app.db, userId, {
      orgId,
      name: 'Nightly build',
      notBefore: new Date(Date.now() - HOUR_MS),
      expiresAt,
      scopes: ['use_conversations'],
      addressRanges: ['127.0.0.0/8'],
    });
    const { status, body } = await rotate(key, old.id, { grace_seconds: 60 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Nightly build',
      not_before: null,
      expires_at: expiresAt.toISOString(),
      org_id: orgId,
      scopes: ['use_conversations'],
      address_ranges: ['127.0.0.0/8'],
      prefix: body.key.slice(0, 10),
    });
    expect([await works(old.key), await works(body.key)]).toEqual([200, 200]);
    const shown = (await list(key)).find(({ id }) => id === old.id);
    const endsInMs = Date.parse(shown?.expires_at ?? '') - Date.now();
    expect(endsInMs).toBeGreaterThan(0);
    expect(endsInMs).toBeLessThanOrEqual(60_000);
  });

  it('may be the one in use, which then works for an hour', async () => {
    const { key, keyId } = await newCaller();
    const { body } = await rotate(key, keyId);
    expect(body.expires_at).toBeNull();
    expect([await works(key), await works(body.key)]).toEqual([200, 200]);
    const old = (await list(body.key)).find(({ id }) => id === keyId);
    expect(Math.abs(Date.parse(old?.expires_at ?? '') - Date.now() - HOUR_MS)).toBeLessThan(60_000);
  });

  it('works no longer than it would have anyway', async () => {
    const { key, userId } = await newCaller();
    const expiresAt = new Date(Date.now() + 30_000);
    const { id } = await makeKey(app.db, userId, { expiresAt });
    await rotate(key, id, { grace_seconds: 3_600 });
    expect((await list(key)).find((each) => each.id === id)?.expires_at).toBe(expiresAt.toISOString());
  });

  it('is gone without a grace time, with the sessions of it, on every replica within a second', async () => {
    const { key, keyId } = await newCaller();
    const headers = { Cookie: await startSession(app, key), ...FROM_OWN_PAGE };
    const sessionThere = async () => (await call(replica, 'POST', '/api/authenticate', { headers })).status;
    expect([await works(key, replica), await sessionThere()]).toEqual([200, 200]);
    const { body } = await rotate(key, keyId, { grace_seconds: 0 });
    expect(await works(key)).toBe(401);
    expect(
      await answerWithin(
        1_000,
        () => works(key, replica),
        (status) => status === 401,
      ),
    ).toBe(401);
    expect(await answerWithin(1_000, sessionThere, (status) => status === 401)).toBe(401);
    expect(await works(body.key, replica)).toBe(200);
    expect((await list(body.key)).map(({ id }) => id)).toEqual([body.id]);
  });

  it('ends with its sessions when the grace time is over, and goes from the list', async () => {
    // Its first run, which may come late after the start on a busy machine; the next one is an hour later.
    await runNow(app.db, 'rotated-keys-clean-up');
    const { key, keyId } = await newCaller();
    const headers = { Cookie: await startSession(app, key), ...FROM_OWN_PAGE };
    const { body } = await rotate(key, keyId, { grace_seconds: 1 });
    const session = async () => (await call(app, 'POST', '/api/authenticate', { headers })).status;
    await eventually(async () => expect([await works(key), await session()]).toEqual([401, 401]));
    expect(await list(body.key)).toHaveLength(2);
    expect((await call<unknown[]>(app, 'GET', '/api/sessions', { key: body.key })).body).toEqual([]);
    await runNow(app.db, 'rotated-keys-clean-up');
    expect((await list(body.key)).map(({ id }) => id)).toEqual([body.id]);
  });

  it('is rotated once, also by two calls at once', async () => {
    const { key, userId } = await newCaller();
    const { id } = await makeKey(app.db, userId);
    const answers = await Promise.all([rotate(key, id), rotate(key, id), rotate(key, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await rotate(key, id)).body.code).toBe('key_not_rotatable');
    expect(await list(key)).toHaveLength(3);
  });

  it('is answered once, and not made twice for the same Idempotency-Key', async () => {
    const { key, userId } = await newCaller();
    const { id } = await makeKey(app.db, userId);
    const again = { 'Idempotency-Key': 'monday' };
    const { body } = await rotate(key, id, {}, again);
    expect((await rotate(key, id, {}, again)).body).toEqual({ ...body, key: null });
  });

  it('is none that has expired, that does not work yet, that nobody can send, that another service has, or that is somebody else’s', async () => {
    const { key, orgId, userId } = await newCaller();
    const member = await makeCaller(app.db, orgId);
    const expired = await makeKey(app.db, userId, { expiresAt: new Date(Date.now() - HOUR_MS) });
    expect((await rotate(key, expired.id)).body.code).toBe('key_not_rotatable');
    const later = await makeKey(app.db, userId, { notBefore: new Date(Date.now() + HOUR_MS) });
    expect((await rotate(key, later.id)).body.code).toBe('key_not_rotatable');
    const ofService = await makeKey(app.db, userId);
    await app.db.query('UPDATE api_keys SET is_of_service = true WHERE id = $1', [ofService.id]);
    expect((await rotate(key, ofService.id)).body.code).toBe('key_not_rotatable');
    await letIn(app, { ...member, key }, member.userId);
    const ofLink = (await list(member.key)).find(({ name }) => name === 'Sign-in link');
    expect((await rotate(member.key, ofLink?.id ?? 0)).body.code).toBe('key_not_rotatable');
    for (const id of [member.keyId, 2_000_000_000])
      expect((await rotate(key, id)).body.code).toBe('key_not_found');
    for (const grace_seconds of [-1, 604_801, 1.5, 'an hour'])
      expect((await rotate(key, member.keyId, { grace_seconds })).status).toBe(422);
  });

  it('reaches no further than the key that rotates it', async () => {
    const { orgId, userId } = await newCaller();
    const scopes = ['manage_api_keys', 'use_conversations'];
    const limited = await makeKey(app.db, userId, {
      orgId,
      scopes,
      addressRanges: ['127.0.0.0/8'],
      expiresAt: new Date(Date.now() + HOUR_MS),
    });
    const others = [
      [{ orgId, scopes, expiresAt: new Date(Date.now() + 1_000) }, 'key_exceeds_maker'],
      [
        { orgId, addressRanges: ['127.0.0.1/32'], expiresAt: new Date(Date.now() + 1_000) },
        'key_exceeds_maker',
      ],
      [{ orgId, scopes, addressRanges: ['127.0.0.1/32'] }, 'key_outlives_maker'],
      [{ scopes, addressRanges: ['127.0.0.1/32'] }, 'key_not_found'],
    ] as const;
    for (const [fields, code] of others) {
      const { id } = await makeKey(app.db, userId, { ...fields });
      expect((await rotate(limited.key, id)).body.code).toBe(code);
    }
    expect((await rotate(limited.key, limited.id)).status).toBe(200);
  });
});

describe('a key that is reported', () => {
  const message = 'Thank you. If this was a key, it does not work any more, and whose it was is told.';

  it('is revoked by the key alone, on every replica within a second, and its user is told by mail', async () => {
    const { key, userId, orgId, email } = await newCaller();
    const found = await makeKey(app.db, userId, { orgId, name: 'Nightly build' });
    expect([await works(found.key), await works(found.key, replica)]).toEqual([200, 200]);
    const { status, body } = await report(` ${found.key}\n`);
    expect([status, body]).toEqual([200, { message }]);
    expect(await works(found.key)).toBe(401);
    expect(
      await answerWithin(
        1_000,
        () => works(found.key, replica),
        (answer) => answer === 401,
      ),
    ).toBe(401);
    expect((await list(key)).map(({ id }) => id)).not.toContain(found.id);
    expect(await eventsOf(userId)).toEqual(['api_key.revoked', 'api_key.reported']);
    const mail = await eventually(() => {
      const received = sink.received.filter(({ to }) => to[0] === email);
      expect(received).toHaveLength(1);
      return received[0]!;
    });
    const { text } = partsOf(mail);
    expect(text).toContain(`"Nightly build" (${found.key.slice(0, 10)}`);
    expect(text).not.toContain(found.key);
  });

  it('answers the same for what is no key, or none any more', async () => {
    const { userId } = await newCaller();
    const { key } = await makeKey(app.db, userId);
    await report(key);
    for (const text of [key, newKey(), `${key}x`, 'ocs_', '', `${userId} by mail`])
      expect(await report(text)).toMatchObject({ status: 200, body: { message } });
    for (const wrong of [undefined, null, 7, 'x'.repeat(1_001)])
      expect((await report(wrong)).status).toBe(422);
  });

  it('leaves what stands for a sign-in alone, whatever its key was made of', async () => {
    const { key, orgId } = await newCaller();
    const member = await makeCaller(app.db, orgId);
    const { session } = await letIn(app, { ...member, key }, member.userId);
    const ofLink = (await list(member.key)).find(({ name }) => name === 'Sign-in link');
    await report(`sign-in link ${ofLink?.id}`);
    expect((await call(app, 'POST', '/api/authenticate', { headers: session })).status).toBe(200);
  });

  it('is one of few of an address in a minute', async () => {
    const strict = await startTestApp({
      env: { APP_ROLE: 'api', FAILED_CREDENTIALS_PER_MINUTE: '2' },
      database: app.database,
    });
    const { userId } = await newCaller();
    const { key } = await makeKey(app.db, userId);
    const there = async (text: string) =>
      (await call<ErrorBody>(strict, 'POST', '/api/keys/report', { body: { key: text } })).status;
    expect([await there('x'), await there('y'), await there(key)]).toEqual([200, 200, 429]);
    expect(await works(key)).toBe(200);
    await strict.close();
  });
});
