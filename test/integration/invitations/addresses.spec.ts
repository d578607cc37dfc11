import type { BatchInvitationResponse } from '../../../src/accounts/invitations/record/invite.dto';
import { startTestApp, type TestApp } from '../../support/service/app';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { headersOf, type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';

/** What the service takes, the address it stores, and the one that goes over the wire where it differs. */
const TAKEN: readonly (readonly [sent: string, stored: string, wire?: string])[] = [
  ['Plain@Example.com', 'plain@example.com'],
  [' spaces@example.com\t', 'spaces@example.com'],
  ["o'brien+tag@example.com", "o'brien+tag@example.com"],
  ['{weird|chars}#!$%&*/=?^_`~-@example.com', '{weird|chars}#!$%&*/=?^_`~-@example.com'],
  ['Grace Hopper <named@example.com>', 'named@example.com'],
  ['"Hopper, Grace" <quoted-name@example.com>', 'quoted-name@example.com'],
  ['user@Bücher.example', 'user@bücher.example', 'user@xn--bcher-kva.example'],
  ['punycode@xn--bcher-kva.example', 'punycode@bücher.example', 'punycode@xn--bcher-kva.example'],
  ['post@straße.example', 'post@straße.example', 'post@xn--strae-oqa.example'],
  ['用户@例え.jp', '用户@例え.jp'],
  ['KELVIN\u212a@example.com', 'kelvink@example.com'],
];

/** What the service refuses as a fault of the request. */
const REFUSED: readonly string[] = [
  'a@example.com\r\nBcc: victim@example.com',
  'a@example.com\nX-Evil: 1',
  'a\r\nRCPT TO:<victim@example.com>@example.com',
  'a@example.com, victim@example.com',
  'a@example.com;victim@example.com',
  'group: a@example.com, victim@example.com;',
  'undisclosed-recipients:;',
  '"victim@example.com"@example.com',
  '"a b"@example.com',
  '"quoted\\"@evil.example"@example.com',
  'a@b@example.com',
  'a(comment)@example.com',
  '<a@example.com> SIZE=1',
  'a@example.com>\r\nDATA',
  'a@[127.0.0.1]',
  'a@localhost',
  'a\u0000@example.com',
  'a\u2028@example.com',
  'a@exam\u200bple.com',
  `${'a'.repeat(10_240)}@example.com`,
  `a@${'b.'.repeat(5_120)}example.com`,
  'a'.repeat(10_240),
];

describe('invited addresses', () => {
  let sink: SmtpSink;
  let service: TestApp;
  let inviter: TestCaller;

  beforeAll(async () => {
    sink = await startSmtpSink();
    service = await startTestApp({
      env: { SMTP_URL: sink.url, MAIL_FROM: 'no-reply@acme.example', INVITE_CALLS_PER_MINUTE: '1000' },
    });
    inviter = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
  });
  afterAll(async () => {
    await service.close();
    await sink.close();
  });

  function invite(emails: readonly string[]) {
    return call<BatchInvitationResponse>(
      service,
      'POST',
      `/api/organizations/${inviter.orgId}/members/invite`,
      {
        key: inviter.key,
        body: { emails },
      },
    );
  }

  it.each(TAKEN.map(([sent, stored, wire]) => [sent, stored, wire ?? stored] as const))(
    '%j is stored as %j, and mailed to that and nobody else',
    async (sent, stored, wire) => {
      sink.received.length = 0;
      const response = await invite([sent]);
      expect(response.status).toBe(200);
      expect([...response.body.successful, ...response.body.failed].map(({ email }) => email)).toEqual([
        stored,
      ]);
      const mail = await eventually(() => {
        expect(sink.received).toHaveLength(1);
        return sink.received[0]!;
      });
      // The sink shows domains as people read them; the header stands as it came.
      expect(mail.to).toEqual([stored]);
      expect(headersOf(mail).get('to')).toEqual([wire]);
      for (const name of ['bcc', 'cc', 'x-evil']) expect(headersOf(mail).has(name)).toBe(false);
    },
  );

  it.each(REFUSED.map((text) => [text.slice(0, 60), text]))('%j… is refused with 422', async (_, text) => {
    const response = await invite(['fine@example.com', text]);
    expect(response).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'emails', 1] }] } });
  });

  it('count as one whatever their spelling', async () => {
    const { body } = await invite([
      'twin@bücher.example',
      'Twin@XN--BCHER-KVA.example',
      'X <twin@BÜCHER.example>',
    ]);
    expect(body.successful).toHaveLength(1);
    expect(body.failed.map(({ email, code }) => [email, code])).toEqual([
      ['Twin@XN--BCHER-KVA.example', 'duplicate_in_batch'],
      ['X <twin@BÜCHER.example>', 'duplicate_in_batch'],
    ]);
  });
});
