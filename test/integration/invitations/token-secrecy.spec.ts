import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type { InvitationResponse } from '../../../src/accounts/invitations/record/invite.dto';
import { createDataSource } from '../../../src/kernel/database';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { type HttpResponse, call } from '../../support/service/http';
import { inviteOne, openPage, sendForm, tokenOf } from '../../support/invitations/invitations';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { ServiceProcess } from '../../support/service/service-process';
import { partsOf, type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';

const ACCEPT = '/api/organizations/members/invite/accept';

describe('the token of an invitation', () => {
  let sink: SmtpSink;
  let database: TestDatabase;
  let db: DataSource;
  let dataDir: string;
  let service: ServiceProcess;
  let server: { readonly url: string };
  let inviter: TestCaller;

  beforeAll(async () => {
    sink = await startSmtpSink();
    database = await createTestDatabase();
    db = await createDataSource(database.url, 2).initialize();
    dataDir = await mkdtemp(join(tmpdir(), 'token-secrecy-'));
    service = ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      LOG_LEVEL: 'trace',
      SMTP_URL: sink.url,
      MAIL_FROM: 'no-reply@acme.example',
    });
    server = { url: new URL(await service.ready).origin };
    inviter = await makeCaller(db, (await makeOrg(db)).id, 'owner');
  });
  afterAll(async () => {
    await service.discard();
    await db.destroy();
    await database.drop();
    await sink.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  function accept(token: string): Promise<HttpResponse> {
    return call(server, 'POST', ACCEPT, { key: inviter.key, body: { token } });
  }

  const log = (): string => service.output + service.errors;

  it('stands in no log and no metric, whatever becomes of a request, and leaves by no referrer', async () => {
    // A mail server that repeats what it does not like.
    sink.refuseMessage = (mail) => ({ code: 554, text: `Spam: ${/http:\S+/.exec(partsOf(mail).text)?.[0]}` });
    const made: InvitationResponse = await inviteOne(server, inviter, 'new-user@example.com');
    const token = tokenOf(made);
    await eventually(() => expect(log()).toContain('is refused'));
    sink.refuseMessage = () => null;

    const responses: HttpResponse[] = [
      await openPage(server, token),
      await openPage(server, `${token}x`),
      await call(server, 'GET', `${ACCEPT}?token=${token}&token=${token}`),
      await call(server, 'DELETE', `${ACCEPT}?token=${token}`),
      await call(server, 'GET', `/nowhere?token=${token}`),
      await call(server, 'GET', `${ACCEPT}?token=${token}%zz`),
      await accept(token),
      await accept(`${token}x`),
      await call(server, 'POST', ACCEPT, { key: inviter.key, raw: `{"token":"${token}"` }),
      await sendForm(server, { token, step: 'key', key: inviter.key }),
      await sendForm(server, { token, step: 'code', name: 'Grace' }),
      await sendForm(server, { token, step: 'confirm', code: '', name: 'Grace' }),
      await sendForm(server, { token, step: 'create', name: 'Grace' }, { Origin: 'https://evil.example' }),
    ];
    await db.query('ALTER TABLE invitations RENAME COLUMN token_digest TO hidden');
    responses.push(
      await openPage(server, token),
      await accept(token),
      await sendForm(server, { token, step: 'create' }),
    );
    await db.query('ALTER TABLE invitations RENAME COLUMN hidden TO token_digest');

    expect(responses.map(({ status }) => status)).toEqual([
      200, 404, 200, 405, 404, 404, 403, 400, 422, 403, 200, 400, 403, 500, 500, 500,
    ]);
    // Pages say which of them sent a form, to the service alone.
    for (const { headers } of responses)
      expect(headers['referrer-policy']).toMatch(/^(no-referrer|same-origin)$/);
    const metrics = await call<string>(server, 'GET', '/metrics');
    expect(metrics.body).toContain(`route="${ACCEPT}"`);
    await eventually(() => {
      const lines = log().split('\n');
      for (const path of [ACCEPT, '/invitations/accept', '/nowhere'])
        expect(lines.some((line) => line.includes(`"path":"${path}"`))).toBe(true);
      expect(lines.filter((line) => line.includes('"errorId"'))).toHaveLength(3);
    });
    const exposed = log() + metrics.body;
    for (const secret of [token, inviter.key]) expect(exposed).not.toContain(secret);
  });
});
