import type { IncomingHttpHeaders } from 'node:http';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg, makeUser, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { eventually } from '../../support/eventually';
import { partsOf, type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';
import { FROM_OWN_PAGE } from '../../support/web-interface/browser-cookie';

let sink: SmtpSink;
let service: TestApp;
let person: TestCaller;
beforeAll(async () => {
  sink = await startSmtpSink();
  service = await startTestApp({
    env: {
      SMTP_URL: sink.url,
      MAIL_FROM: 'no-reply@acme.example',
      FAILED_CREDENTIALS_PER_MINUTE: '1000',
    },
  });
});
afterAll(async () => {
  await service.close();
  await sink.close();
});
beforeEach(async () => (person = await makeCaller(service.db, (await makeOrg(service.db)).id)));

const post = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = FROM_OWN_PAGE,
) =>
  call<string>(service, 'POST', path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
const ask = (email: string) => post('/login/mail', { email, returnTo: '/settings' });
const enter = (email: string, code: string) => post('/login/code', { email, code, returnTo: '/settings' });

interface Mailed {
  readonly code: string;
  readonly token: string;
}

const mailsTo = (email: string): Mailed[] =>
  sink.received
    .filter(({ to }) => to[0] === email)
    .map((mail) => {
      const { text } = partsOf(mail);
      return {
        code: /^ {4}(\d{6})\r?$/m.exec(text)?.[1] ?? '',
        token: /token=([\w-]{43})/.exec(text)?.[1] ?? '',
      };
    });

async function mailed(email: string): Promise<Mailed> {
  const before = mailsTo(email).length;
  expect((await ask(email)).status).toBe(200);
  return eventually(() => {
    expect(mailsTo(email)).toHaveLength(before + 1);
    return mailsTo(email).at(-1)!;
  });
}

const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const sessionOf = (headers: IncomingHttpHeaders): Record<string, string> => ({
  Cookie: headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '',
  ...FROM_OWN_PAGE,
});

describe('signing in by mail', () => {
  it('is offered where mail is configured', async () => {
    expect((await call<string>(service, 'GET', '/login')).body).toContain('Your e-mail address');
    const without = await startTestApp({ env: { APP_ROLE: 'api' }, database: service.database });
    expect((await call<string>(without, 'GET', '/login')).body).not.toContain('Your e-mail address');
    await without.close();
  });

  it('takes the mailed code, goes back, and reaches all organizations of its person', async () => {
    const other = await makeOrg(service.db);
    const { userId: id, email } = person;
    await makeMember(service.db, other.id, 'admin', { id, email, name: null });
    const { code } = await mailed(email.toUpperCase().toLowerCase());
    const { status, headers } = await enter(
      ` ${email.toUpperCase()} `,
      `${code.slice(0, 3)} ${code.slice(3)}`,
    );
    expect([status, headers.location]).toEqual([303, '/settings']);
    for (const orgId of [person.orgId, other.id]) {
      const sent = { ...sessionOf(headers), 'X-Org-Id': orgId };
      const current = await call(service, 'GET', '/api/keys/current', { headers: sent });
      expect(current.body).toMatchObject({ user_id: id, org_id: orgId, bound_org_id: null });
    }
    const switched = await call(service, 'POST', `/api/organizations/${other.id}/switch`, {
      headers: sessionOf(headers),
    });
    expect(switched.status).toBe(200);
    expect((await enter(email, code)).status).toBe(403);
  });

  it('takes the mailed link, by a click and once', async () => {
    const { token, code } = await mailed(person.email);
    const page = await call<string>(service, 'GET', `/login/link?token=${token}`);
    expect([page.status, page.body]).toEqual([200, expect.not.stringContaining(person.email)]);
    const used = await post('/login/link', { token });
    expect([used.status, used.headers.location]).toEqual([303, '/']);
    expect((await post('/login/link', { token })).status).toBe(403);
    expect((await enter(person.email, code)).status).toBe(403);
  });

  it('gives five tries for a code, also when they come at once', async () => {
    const { code } = await mailed(person.email);
    const pages = await Promise.all(Array.from({ length: 8 }, () => enter(person.email, wrong(code))));
    expect(pages.every(({ status }) => status === 403)).toBe(true);
    expect((await enter(person.email, code)).status).toBe(403);
    expect((await enter(person.email, (await mailed(person.email)).code)).status).toBe(303);
  });

  it('takes the newest code only, for ten minutes', async () => {
    const first = await mailed(person.email);
    const second = await mailed(person.email);
    if (first.code !== second.code) expect((await enter(person.email, first.code)).status).toBe(403);
    await service.db.query('UPDATE sign_in_proofs SET expires_at = now() WHERE email = $1', [person.email]);
    expect((await enter(person.email, second.code)).status).toBe(403);
    expect((await post('/login/link', { token: second.token })).status).toBe(403);
  });

  it('answers the same for an address that nobody has, and mails nothing', async () => {
    const unknown = `nobody-${person.userId}@example.com`;
    const page = (email: string, { body }: { body: string }) => body.replaceAll(email, '…');
    const [theirs, nobodys] = [await ask(person.email), await ask(unknown)];
    expect([theirs.status, page(person.email, theirs)]).toEqual([nobodys.status, page(unknown, nobodys)]);
    const [wrongly, never] = [await enter(person.email, '000000'), await enter(unknown, '000000')];
    expect([wrongly.status, page(person.email, wrongly)]).toEqual([never.status, page(unknown, never)]);
    await eventually(() => expect(mailsTo(person.email)).toHaveLength(1));
    expect(mailsTo(unknown)).toEqual([]);
    for (const email of [person.email, unknown]) {
      const statuses = [];
      for (let time = 0; time < 5; time++) statuses.push((await ask(email)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 429]);
    }
  });

  it('mails nobody who is disabled', async () => {
    const disabled = await makeUser(service.db, { disabled: true });
    await ask(disabled.email);
    await mailed(person.email);
    expect(mailsTo(disabled.email)).toEqual([]);
  });

  it('sends 30 mails an hour to the members of an organization, and beyond them the first one to each', async () => {
    for (let colleague = 0; colleague < 6; colleague++) {
      const { email } = await makeCaller(service.db, person.orgId);
      for (let time = 0; time < 5; time++) await mailed(email);
    }
    const { code } = await mailed(person.email);
    await ask(person.email);
    await mailed((await makeCaller(service.db, (await makeOrg(service.db)).id)).email);
    await eventually(async () => {
      const jobs = await service.db.query<object[]>(
        `SELECT 1 FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
          WHERE t.identifier = 'sign-in-mail'`,
      );
      expect(jobs).toEqual([]);
    });
    expect(mailsTo(person.email)).toHaveLength(1);
    expect((await enter(person.email, code)).status).toBe(303);
  });

  it('mails an address ten times a day at most', async () => {
    await service.db.query(
      `INSERT INTO sign_in_proofs (id, email, token_digest, code_digest, created_at, expires_at)
       SELECT gen_random_uuid(), $1, md5(n::text) || md5($1 || n), repeat('0', 64), now() - interval '5 hours',
              now() - interval '4 hours' FROM generate_series(1, 9) n`,
      [person.email],
    );
    expect((await ask(person.email)).status).toBe(200);
    const { status, headers } = await ask(person.email);
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(18 * 3_600);
  });

  it.each(['/login/mail', '/login/code', '/login/link'])(
    'takes no form of another site at %s',
    async (path) => {
      expect((await post(path, { email: person.email }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(
        403,
      );
    },
  );

  it.each(['', 'nobody', 'a b@example.com', `${'a'.repeat(320)}@example.com`])(
    'says that %j is no address',
    async (email) => {
      const { status, body } = await ask(email);
      expect([status, body]).toEqual([400, expect.stringContaining('This is not an e-mail address.')]);
    },
  );

  it('leaves no code and no token in the database', async () => {
    const { code, token } = await mailed(person.email);
    const rows = await service.db.query<{ all: string }[]>(
      `SELECT p::text AS all FROM sign_in_proofs p WHERE email = $1
       UNION ALL SELECT payload::text FROM graphile_worker._private_jobs`,
      [person.email],
    );
    for (const { all } of rows) {
      expect(all.split(/[(),"]/)).not.toContain(code);
      expect(all).not.toContain(token);
    }
  });
});

describe('codes that are wrong', () => {
  it('count as failed credentials of their address, as mails that are asked for do', async () => {
    const limited = await startTestApp({
      env: {
        SMTP_URL: sink.url,
        MAIL_FROM: 'a@acme.example',
        FAILED_CREDENTIALS_PER_MINUTE: '3',
        APP_ROLE: 'api',
      },
      database: service.database,
    });
    const send = (path: string, fields: Record<string, string>) =>
      call<string>(limited, 'POST', path, {
        raw: new URLSearchParams(fields).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...FROM_OWN_PAGE },
      });
    const statuses = [(await send('/login/mail', { email: person.email })).status];
    for (const code of ['1', '2', '3'])
      statuses.push((await send('/login/code', { email: person.email, code })).status);
    statuses.push((await send('/login/mail', { email: 'another@example.com' })).status);
    expect(statuses).toEqual([200, 403, 403, 429, 429]);
    await limited.close();
  });
});
