import type { Caller, OrgContext } from '../../../src/kernel/auth';
import { InviteService } from '../../../src/accounts/invitations/invite/invite.service';
import { PendingInvitationsService } from '../../../src/accounts/invitations/pending/pending-invitations.service';
import { startTestApp, type TestApp } from '../../support/service/app';
import { eventually } from '../../support/eventually';
import { makeKey, makeMember, makeOrg, makeUser } from '../../support/service/factories';
import { freePort } from '../../support/service/free-port';
import { headersOf, partsOf, type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';
import { standing } from '../../support/standing';

const MAIL_FROM = 'Acme <no-reply@acme.example>';

describe('mails of invitations', () => {
  let sink: SmtpSink;
  let service: TestApp;

  beforeAll(async () => {
    sink = await startSmtpSink();
    service = await startTestApp({
      env: { SMTP_URL: sink.url, MAIL_FROM, PUBLIC_URL: 'https://work.example' },
    });
  });
  afterAll(async () => {
    await service.close();
    await sink.close();
  });
  beforeEach(async () => {
    // What an earlier test left to be tried again.
    await eventually(async () => {
      await service.db.query(
        `SELECT graphile_worker.complete_jobs(
           ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'invitation-mail'))`,
      );
      expect(await jobsLeft()).toBe(0);
    });
    sink.received.length = 0;
    sink.refuseRecipient = () => null;
    sink.refuseMessage = () => null;
  });

  async function inviter(
    app = service,
    names: { org?: string; inviter?: string } = {},
  ): Promise<{ caller: Caller; org: OrgContext }> {
    const org = await makeOrg(app.db, { name: names.org ?? 'Acme' });
    const user = await makeUser(app.db, { name: names.inviter ?? 'Ada' });
    await makeMember(app.db, org.id, 'owner', user);
    const key = await makeKey(app.db, user.id);
    return {
      org: { orgId: org.id, ...standing('owner') },
      caller: {
        userId: user.id,
        email: user.email,
        name: user.name,
        keyId: key.id,
        keyName: null,
        keyExpiresAt: null,
        boundOrgId: null,
        letInBy: null,
        identityProviderId: null,
        scopes: null,
        addresses: null,
        ownKey: null,
        currentOrgId: org.id,
        selectedOrgId: null,
      },
    };
  }

  async function invite(who: { caller: Caller; org: OrgContext }, emails: string[], app = service) {
    const { body: response } = await app.app
      .get(InviteService)
      .invite(who.caller, who.org, { emails, role: 'member' });
    return response;
  }

  async function stateOf(who: { caller: Caller; org: OrgContext }, app = service) {
    const { items } = await app.app.get(PendingInvitationsService).list(who.caller, who.org, null, 100);
    return items.map(({ email, mail_status, mail_detail }) => ({ email, mail_status, mail_detail }));
  }

  it('arrive with the link, the names and the deadline, and are noted as sent', async () => {
    const who = await inviter();
    const response = await invite(who, ['a@example.com']);
    expect(response).toMatchObject({
      email_delivery_configured: true,
      successful: [{ mail_status: 'queued' }],
    });
    await eventually(async () =>
      expect(await stateOf(who)).toEqual([
        { email: 'a@example.com', mail_status: 'sent', mail_detail: null },
      ]),
    );
    const [mail] = sink.received;
    const [made] = response.successful;
    expect(mail).toMatchObject({ from: 'no-reply@acme.example', to: ['a@example.com'] });
    const { text, html } = partsOf(mail!);
    expect(made!.invite_url).toMatch(
      /^https:\/\/work\.example\/api\/organizations\/members\/invite\/accept\?token=inv-/,
    );
    for (const part of [text, html]) {
      expect(part).toContain(made!.invite_url);
      expect(part).toContain(`Ada (${who.caller.email})`);
      expect(part).toMatch(/until (<strong>)?\w+, \d+ \w+ \d{4} at \d\d:\d\d UTC/);
    }
    expect(headersOf(mail!).get('message-id')).toEqual([`<invitation-${made!.id}-1@acme.example>`]);
    expect(headersOf(mail!).has('list-unsubscribe')).toBe(false);
  });

  it('leave no token in the jobs', async () => {
    sink.refuseMessage = () => ({ code: 451, text: 'later' });
    const who = await inviter();
    await invite(who, ['a@example.com']);
    const jobs = await service.db.query<{ payload: { invitations: object[] } }[]>(
      `SELECT j.payload FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'invitation-mail'`,
    );
    for (const { payload } of jobs) {
      expect(Object.keys(payload)).toEqual(['invitations']);
      for (const reference of payload.invitations)
        expect(Object.keys(reference).sort()).toEqual(['generation', 'id']);
    }
  });

  it('escape names, and let none of them into the headers', async () => {
    const who = await inviter(service, {
      org: 'Evil\r\nBcc: victim@example.com <b>&"Co"',
      inviter: `<img src=x onerror="x()">\u2028\nX-Evil: 1`,
    });
    await invite(who, ['a@example.com']);
    const mail = await eventually(() => {
      expect(sink.received).toHaveLength(1);
      return sink.received[0]!;
    });
    const headers = headersOf(mail);
    expect(headers.has('bcc')).toBe(false);
    expect(headers.has('x-evil')).toBe(false);
    expect(headers.get('subject')).toEqual(['You are invited to join Evil Bcc: victim@example.com <b>&"Co"']);
    expect(mail.to).toEqual(['a@example.com']);
    const { html } = partsOf(mail);
    expect(html).not.toMatch(/<img|<b>/);
    expect(html).toContain('&lt;b&gt;&amp;&quot;Co&quot;');
  });

  it('refused for a recipient for good are noted with the reason, and not tried again', async () => {
    let tries = 0;
    sink.refuseRecipient = (address) => {
      if (!address.startsWith('gone')) return null;
      tries++;
      return { code: 550, text: '5.1.1 No such user here' };
    };
    const who = await inviter();
    await invite(who, ['gone@example.com', 'here@example.com']);
    await eventually(async () =>
      expect(await stateOf(who)).toEqual([
        { email: 'here@example.com', mail_status: 'sent', mail_detail: null },
        {
          email: 'gone@example.com',
          mail_status: 'failed',
          mail_detail: 'The mail server refused the mail: 550 5.1.1 No such user here',
        },
      ]),
    );
    // The job ends a moment after its last note.
    await eventually(async () => expect(await jobsLeft()).toBe(0));
    expect(tries).toBe(1);
  });

  it('held up by greylisting are tried again until they are taken', async () => {
    sink.refuseRecipient = () => ({ code: 451, text: '4.7.1 Greylisted' });
    const who = await inviter();
    await invite(who, ['a@example.com']);
    await eventually(async () =>
      expect(await stateOf(who)).toMatchObject([
        {
          mail_status: 'queued',
          mail_detail: 'The mail server asks to try again later: 451 4.7.1 Greylisted',
        },
      ]),
    );
    expect(sink.received).toHaveLength(0);
    sink.refuseRecipient = () => null;
    await eventually(async () =>
      expect(await stateOf(who)).toMatchObject([{ mail_status: 'sent', mail_detail: null }]),
    );
    expect(sink.received).toHaveLength(1);
  });

  it('of an invitation that was renewed before they went out go out once, with the new link', async () => {
    let open = false;
    sink.refuseMessage = () => (open ? null : { code: 451, text: 'later' });
    const who = await inviter();
    await invite(who, ['a@example.com']);
    await eventually(async () => expect((await stateOf(who))[0]?.mail_detail).toContain('later'));
    open = true;
    const renewed = (await invite(who, ['a@example.com'])).successful[0]!;
    await eventually(async () => expect(await stateOf(who)).toMatchObject([{ mail_status: 'sent' }]));
    await eventually(async () => expect(await jobsLeft()).toBe(0));
    expect(sink.received.map((mail) => partsOf(mail).text.includes(renewed.invite_url!))).toEqual([true]);
  });

  it('of a revoked invitation are not sent', async () => {
    sink.refuseMessage = () => ({ code: 451, text: 'later' });
    const who = await inviter();
    const [made] = (await invite(who, ['a@example.com'])).successful;
    await eventually(async () => expect((await stateOf(who))[0]?.mail_detail).toContain('later'));
    await service.app.get(PendingInvitationsService).revoke(who.caller, who.org, String(made!.id));
    sink.refuseMessage = () => null;
    await eventually(async () => expect(await jobsLeft()).toBe(0));
    expect(sink.received).toHaveLength(0);
  });

  it('wait for a mail server that is down', async () => {
    const port = await freePort();
    const other = await startTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM } });
    try {
      const who = await inviter(other);
      await invite(who, ['a@example.com'], other);
      await eventually(async () =>
        expect(await stateOf(who, other)).toMatchObject([
          { mail_status: 'queued', mail_detail: 'The mail server cannot be reached; it is tried again.' },
        ]),
      );
      const up = await startSmtpSink({}, port);
      try {
        await eventually(
          async () => expect(await stateOf(who, other)).toMatchObject([{ mail_status: 'sent' }]),
          60_000,
        );
        expect(up.received).toHaveLength(1);
      } finally {
        await other.app.close();
        await up.close();
      }
    } finally {
      await other.database.drop();
    }
  });

  it('are not sent again when their job runs once more', async () => {
    const who = await inviter();
    const [made] = (await invite(who, ['a@example.com'])).successful;
    await eventually(async () => expect(await stateOf(who)).toMatchObject([{ mail_status: 'sent' }]));
    await eventually(async () => expect(await jobsLeft()).toBe(0));
    await service.db.query(`SELECT graphile_worker.add_job('invitation-mail', $1::json)`, [
      JSON.stringify({ invitations: [{ id: made!.id, generation: 1 }] }),
    ]);
    await eventually(async () => expect(await jobsLeft()).toBe(0));
    expect(sink.received).toHaveLength(1);
  });

  async function jobsLeft(): Promise<number> {
    const [row] = await service.db.query<[{ count: number }]>(
      `SELECT count(*)::int FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'invitation-mail'`,
    );
    return row.count;
  }
});
