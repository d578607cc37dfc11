import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { BatchInvitationResponse } from '../../../src/accounts/invitations/record/invite.dto';
import { startTestApp, type TestApp } from '../../support/service/app';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { ServiceProcess } from '../../support/service/service-process';
import { headersOf, type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';

/** Long enough for another worker to start and take over, on a machine that may be busy. */
const RECOVERY_MS = 30_000;

describe('mails of invitations, when their worker is killed', () => {
  let sink: SmtpSink;
  let database: TestDatabase;
  let service: TestApp;
  let dataDir: string;
  let worker: ServiceProcess;

  beforeAll(async () => {
    sink = await startSmtpSink();
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'mail-kills-'));
    service = await startTestApp({ database, env: { APP_ROLE: 'api', ...mailTo(sink) } });
    worker = startWorker();
  });
  afterAll(async () => {
    await worker.discard();
    await service.close();
    await sink.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await worker.ready;
    sink.received.length = 0;
    sink.refuseRecipient = () => null;
    sink.refuseMessage = () => null;
  });

  const mailTo = ({ url }: SmtpSink) => ({ SMTP_URL: url, MAIL_FROM: 'no-reply@acme.example' });

  let started = 0;
  function startWorker(): ServiceProcess {
    return ServiceProcess.start({
      ...mailTo(sink),
      APP_ROLE: 'worker',
      DATABASE_URL: database.url,
      DATA_DIR: join(dataDir, String(started++)),
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
    });
  }

  /**
   * Kills the worker as `kill -9` does, and starts another one. Its lease is long, so that a worker that is
   * merely slow is never taken for dead; that the lease of the dead one runs out is not waited for.
   */
  async function kill(): Promise<void> {
    await worker.stop('SIGKILL');
    await service.db.query(
      `UPDATE worker_heartbeats SET lease_until = clock_timestamp() - interval '1 hour' WHERE process LIKE $1`,
      [`% ${worker.child.pid}`],
    );
    worker = startWorker();
  }

  async function invite(emails: readonly string[]): Promise<readonly number[]> {
    const inviter = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    const path = `/api/organizations/${inviter.orgId}/members/invite`;
    const { body } = await call<BatchInvitationResponse>(service, 'POST', path, {
      key: inviter.key,
      body: { emails },
    });
    return body.successful.map(({ id }) => id);
  }

  async function allSent(ids: readonly number[]): Promise<void> {
    await eventually(async () => {
      const [left] = await service.db.query<[object]>(
        `SELECT (SELECT count(*)::int FROM invitations WHERE id = ANY ($1) AND mail_status <> 'sent') AS mails,
                (SELECT count(*)::int FROM graphile_worker.jobs WHERE task_identifier = 'invitation-mail') AS jobs`,
        [ids],
      );
      expect(left).toEqual({ mails: 0, jobs: 0 });
    }, RECOVERY_MS);
  }

  /** Holds the note of a mail back: the worker waits to write it, until it is killed and its update rolled back. */
  async function holdNote(id: number): Promise<{ killWaiting: () => Promise<void> }> {
    const lock = new Client(database.url);
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM invitations WHERE id = $1 FOR UPDATE', [id]);
    const waiting = async (): Promise<number> => {
      // Not over the connection with the lock: within a transaction pg_stat_activity keeps answering the same snapshot.
      const rows = await service.db.query<{ pid: number }[]>(
        `SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE "invitations"%'`,
      );
      expect(rows).toHaveLength(1);
      return rows[0]!.pid;
    };
    return {
      killWaiting: async () => {
        try {
          const pid = await eventually(waiting, RECOVERY_MS);
          await kill();
          await lock.query('SELECT pg_terminate_backend($1, 10000)', [pid]);
        } finally {
          await lock.end();
        }
      },
    };
  }

  /** Holds the mail server's response back until somebody lets it go. */
  function gate(): { reached: Promise<void>; open: () => void; wait: () => Promise<null> } {
    let reach: () => void = () => undefined;
    let open: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const opened = new Promise<void>((resolve) => (open = resolve));
    const wait = async (): Promise<null> => {
      reach();
      await opened;
      return null;
    };
    return { reached, open, wait };
  }

  it('go out once when it happens before the mail server has the mail', async () => {
    const { reached, open, wait } = gate();
    sink.refuseRecipient = wait;
    const ids = await invite(['before@example.com']);
    await reached;
    await kill();
    sink.refuseRecipient = () => null;
    open();
    await allSent(ids);
    expect(sink.received.map(({ to }) => to)).toEqual([['before@example.com']]);
  });

  it('are repeated once, with the same message id, when it happens before the response', async () => {
    const { reached, open, wait } = gate();
    sink.refuseMessage = wait;
    const ids = await invite(['unanswered@example.com']);
    await reached;
    await kill();
    sink.refuseMessage = () => null;
    open();
    await allSent(ids);
    expect(messageIds()).toEqual(Array(2).fill(`<invitation-${ids[0]}-1@acme.example>`));
  });

  it('are repeated once, with the same message id, when it happens between the response and the note', async () => {
    const { reached, open, wait } = gate();
    sink.refuseMessage = wait;
    const ids = await invite(['unnoted@example.com']);
    await reached;
    const note = await holdNote(ids[0]!);
    sink.refuseMessage = () => null;
    open();
    await note.killWaiting();
    await allSent(ids);
    expect(messageIds()).toEqual(Array(2).fill(`<invitation-${ids[0]}-1@acme.example>`));
  });

  it('are not repeated when the service stops while the mail server is still answering', async () => {
    const { reached, open, wait } = gate();
    sink.refuseMessage = wait;
    const ids = await invite(['stopped@example.com']);
    await reached;
    const stopped = worker.stop('SIGTERM');
    await eventually(() => expect(worker.output).toContain('is stopping'));
    open();
    expect(await stopped).toBe(0);
    sink.refuseMessage = () => null;
    worker = startWorker();
    await worker.ready;
    await allSent(ids);
    expect(messageIds()).toHaveLength(1);
  });

  it('all arrive when it happens in the middle of a batch', async () => {
    const emails = Array.from({ length: 100 }, (_, i) => `person-${i}@example.com`);
    const { reached, open, wait } = gate();
    sink.refuseMessage = () => (sink.received.length < 40 ? null : wait());
    const ids = await invite(emails);
    await reached;
    await kill();
    sink.refuseMessage = () => null;
    open();
    await allSent(ids);
    expect([...new Set(sink.received.flatMap(({ to }) => to))].sort()).toEqual([...emails].sort());
    expect(new Set(messageIds()).size).toBe(emails.length);
    for (const email of emails)
      expect(sink.received.filter(({ to }) => to[0] === email).length).toBeLessThanOrEqual(2);
  });

  const messageIds = (): string[] => sink.received.flatMap((mail) => headersOf(mail).get('message-id') ?? []);
});
