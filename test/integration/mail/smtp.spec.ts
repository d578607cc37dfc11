import { readSettings } from '../../../src/kernel/config';
import type { EmailMessage } from '../../../src/accounts/mail';
import { Mailer } from '../../../src/accounts/mail';
import { type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';

const email: EmailMessage = {
  to: 'a@example.com',
  subject: 'S',
  text: 'T',
  html: '<p>T</p>',
  id: 'email-1',
};

describe('sending over SMTP', () => {
  const open: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function sinkWith(options: Parameters<typeof startSmtpSink>[0]): Promise<SmtpSink> {
    const sink = await startSmtpSink(options);
    open.push(() => sink.close());
    return sink;
  }

  function mailerFor(url: string): Mailer {
    const mailer = new Mailer(
      readSettings({ SMTP_URL: url, MAIL_FROM: 'Acme <no-reply@acme.example>', LOG_LEVEL: 'silent' }),
    );
    open.push(() => mailer.onApplicationShutdown());
    return mailer;
  }

  const send = (mailer: Mailer, changes: Partial<EmailMessage> = {}) => mailer.send({ ...email, ...changes });

  const auth = {
    authOptional: false,
    onAuth: (
      { username, password }: { username?: unknown; password?: unknown },
      _session: object,
      callback: (error: Error | null, response?: { user: string }) => void,
    ) =>
      username === 'mailer' && password === 'p@ss/word'
        ? callback(null, { user: 'mailer' })
        : callback(Object.assign(new Error('wrong'), { responseCode: 535 })),
  };

  it('turns to TLS by STARTTLS and logs in', async () => {
    const sink = await sinkWith({ ...auth, disabledCommands: [] });
    const mailer = mailerFor(
      `smtp://mailer:${encodeURIComponent('p@ss/word')}@127.0.0.1:${sink.port}?requireTLS=true&tls.rejectUnauthorized=false`,
    );
    expect(await send(mailer)).toEqual({ kind: 'sent' });
    expect(sink.received).toMatchObject([{ secure: true, user: 'mailer' }]);
  });

  it('does not trust a certificate that nobody vouches for', async () => {
    const sink = await sinkWith({ disabledCommands: [] });
    expect(await send(mailerFor(sink.url))).toMatchObject({ kind: 'delayed' });
    expect(sink.received).toEqual([]);
  });

  it('sends nothing without TLS when that is asked for', async () => {
    const sink = await sinkWith({});
    expect(await send(mailerFor(`${sink.url}?requireTLS=true`))).toMatchObject({ kind: 'delayed' });
    expect(sink.received).toEqual([]);
  });

  it('tries again when the mail server is too slow', async () => {
    const sink = await sinkWith({});
    let response: () => void = () => undefined;
    sink.refuseRecipient = () => new Promise((resolve) => (response = () => resolve(null)));
    expect(await send(mailerFor(`${sink.url}?socketTimeout=200`))).toEqual({
      kind: 'delayed',
      detail: 'The mail server cannot be reached; it is tried again.',
    });
    response();
    expect(sink.received).toEqual([]);
  });

  it('tries again when the password is wrong: an operator can mend that', async () => {
    const sink = await sinkWith({ ...auth, disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    const outcome = await send(mailerFor(`smtp://mailer:wrong@127.0.0.1:${sink.port}`));
    expect(outcome.kind).toBe('delayed');
    expect(JSON.stringify(outcome)).not.toContain('wrong');
  });

  it('gives up on a recipient that is refused for good, and not on one that is put off', async () => {
    const sink = await sinkWith({});
    const mailer = mailerFor(sink.url);
    sink.refuseRecipient = () => ({ code: 550, text: 'nobody here' });
    expect(await send(mailer)).toEqual({
      kind: 'refused',
      detail: 'The mail server refused the mail: 550 nobody here',
    });
    sink.refuseRecipient = () => ({ code: 450, text: 'later' });
    expect(await send(mailer)).toMatchObject({ kind: 'delayed' });
    sink.refuseRecipient = () => null;
    sink.refuseMessage = () => ({ code: 554, text: 'spam' });
    expect(await send(mailer)).toMatchObject({ kind: 'refused' });
    sink.refuseMessage = () => null;
    expect(await send(mailer)).toEqual({ kind: 'sent' });
  });

  it('keeps nothing of a link that the mail server repeats but where it leads', async () => {
    const sink = await sinkWith({});
    sink.refuseMessage = () => ({
      code: 554,
      text: 'Blocked: https://work.example/accept?token=inv-abc is spam',
    });
    expect(await send(mailerFor(sink.url))).toEqual({
      kind: 'refused',
      detail: 'The mail server refused the mail: 554 Blocked: https://work.example/accept?… is spam',
    });
  });

  it('refuses what is no single address, whoever let it through', async () => {
    const sink = await sinkWith({});
    const mailer = mailerFor(sink.url);
    await send(mailer, { to: 'a@example.com\r\nRCPT TO:<victim@example.com>' });
    await send(mailer, { to: 'a@example.com, victim@example.com' });
    for (const { to } of sink.received) expect(to).toHaveLength(1);
    expect(JSON.stringify(sink.received.map(({ to }) => to))).not.toMatch(/"victim@example\.com"/);
  });
});
