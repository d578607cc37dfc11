import { Client } from 'pg';
import { Mailer } from '../../../src/accounts/mail';
import { AgentServerClient } from '../../../src/sandboxes/agent-server';
import { eventually } from '../../support/eventually';
import { type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';
import { QueueCalls } from '../../support/queue/queued-messages';
import { call } from '../../support/service/http';
import { ScrapedMetrics } from '../../support/telemetry/scraped-metrics';

describe('GET /metrics', () => {
  let queues: QueueCalls;
  let mails: SmtpSink;

  beforeAll(async () => {
    mails = await startSmtpSink();
    queues = await QueueCalls.start({ SMTP_URL: mails.url, MAIL_FROM: 'service@example.com' });
  });
  afterAll(async () => {
    await queues.close();
    await mails.close();
  });

  const scrape = (): Promise<ScrapedMetrics> => ScrapedMetrics.of(queues.doubled.service.app);

  /** Waits until a series has a value: what comes from the database is read anew every few seconds. */
  const shows = (series: string, value: number): Promise<void> =>
    eventually(async () => expect([series, (await scrape()).value(series)]).toEqual([series, value]));

  it('counts requests by the templates of their routes, and all unknown paths as one', async () => {
    const { app, owner } = queues.doubled.service;
    for (const id of ['one', 'two', 'three']) {
      await call(app, 'GET', `/api/v1/conversations/${id}/pending-messages`, { key: owner.key });
      await call(app, 'GET', `/no-such-path/${id}`, { key: owner.key });
    }
    const metrics = await scrape();
    const counts = (route: string): number =>
      metrics
        .seriesOf('http_request_duration_seconds_count')
        .filter((series) => series.includes(`route="${route}"`))
        .reduce((sum, series) => sum + (metrics.value(series) ?? 0), 0);
    expect(counts('/api/v1/conversations/:conversation_id/pending-messages')).toBe(3);
    expect(counts('/{*path}')).toBe(3);
    const routes = metrics.labelValues('http_request_duration_seconds_count', 'route');
    expect(routes.filter((route) => /no-such-path|\/(one|two|three)\b/.test(route))).toEqual([]);
  });

  it('has the depth of the queue and the age of the oldest message', async () => {
    const conversation = await queues.waiting();
    await queues.queued(conversation.id, ['first', 'second']);
    const { db } = queues.doubled.service.app;
    await db.query(
      `UPDATE pending_messages SET created_at = now() - interval '1 hour' WHERE content LIKE '%first%'`,
    );
    await shows('queued_messages', 2);
    const age = (await scrape()).value('queued_messages_oldest_seconds');
    expect(age).toBeGreaterThanOrEqual(3_600);
    expect(age).toBeLessThan(3_600 + 600);
    await queues.resume(conversation);
    await queues.arrived(conversation.id, ['first', 'second']);
    await shows('queued_messages', 0);
    expect((await scrape()).value('queued_messages_oldest_seconds')).toBe(0);
  });

  it('has the jobs that wait, are planned or given up, and the age of the oldest that waits', async () => {
    const { db } = queues.doubled.service.app;
    // Many more than the service has of its own, which come and go meanwhile.
    const planned = 100;
    const add = `SELECT graphile_worker.add_job('sandbox-watch@elsewhere', run_at => now() + $1::interval, max_attempts => 1)
                   FROM generate_series(1, $2)`;
    await db.query(add, ['-2 hours', 1]);
    // As an extension leaves it that was removed.
    await db.query(
      `SELECT graphile_worker.add_job('nobody-does-this', run_at => now() - interval '9 hours')`,
    );
    await db.query(add, ['-1 minute', 1]);
    await db.query(add, ['1 day', planned]);
    await eventually(async () =>
      expect((await scrape()).value('jobs_waiting_oldest_seconds')).toBeGreaterThanOrEqual(7_200),
    );
    expect((await scrape()).value('jobs_waiting_oldest_seconds')).toBeLessThan(9 * 3_600);
    expect((await scrape()).value('jobs_waiting')).toBeGreaterThanOrEqual(2);
    expect((await scrape()).value('jobs_scheduled')).toBeGreaterThanOrEqual(planned);
    await db.query(
      `SELECT graphile_worker.permanently_fail_jobs(ARRAY(
         SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'sandbox-watch@elsewhere'))`,
    );
    await shows('jobs_dead', planned + 2);
  });

  it('counts runs of jobs by name, of all hosts together', async () => {
    await eventually(async () => {
      const metrics = await scrape();
      expect(metrics.value('jobs_succeeded_total{job_name="sandbox-watch"}')).toBeGreaterThan(0);
      expect(metrics.value('job_run_seconds_total{job_name="sandbox-watch"}')).toBeGreaterThan(0);
      expect(
        metrics.labelValues('jobs_succeeded_total', 'job_name').filter((job) => job.includes('@')),
      ).toEqual([]);
    });
  });

  it('has the sandboxes by the status they show', async () => {
    const before = (await scrape()).value('sandboxes{status="ERROR"}') ?? 0;
    await queues.doubled.conversation({ sandbox: { status: 'ERROR' } });
    await shows('sandboxes{status="ERROR"}', before + 1);
    expect((await scrape()).labelValues('sandboxes', 'status')).toEqual([
      'STARTING',
      'RUNNING',
      'PAUSED',
      'ERROR',
      'MISSING',
    ]);
  });

  it('has the connections of each pool, and who waits for one', async () => {
    const { db, database } = queues.doubled.service.app;
    const lock = new Client({ connectionString: database.url });
    await lock.connect();
    await lock.query('SELECT pg_advisory_lock(1)');
    const waiting = Array.from({ length: 12 }, () => db.query('SELECT pg_advisory_xact_lock(1)'));
    let busy: ScrapedMetrics;
    try {
      busy = await scrape();
    } finally {
      await lock.end();
    }
    const figure = (name: string): number => busy.value(`database_pool_${name}{pool="requests"}`) ?? NaN;
    // Those in use: a start that failed in this process before may have left idle ones.
    expect(figure('connections') - figure('idle')).toBe(10);
    expect(figure('max')).toBeGreaterThanOrEqual(10);
    expect(figure('waiting')).toBeGreaterThanOrEqual(2);
    await Promise.all(waiting);
    await shows('database_pool_waiting{pool="requests"}', 0);
    expect(busy.labelValues('database_pool_connections', 'pool').toSorted()).toEqual([
      'audit-log',
      'jobs',
      'list',
      'requests',
    ]);
  });

  it('counts mails by their outcome', async () => {
    const mailer = queues.doubled.service.app.app.get(Mailer, { strict: false });
    const email = {
      to: 'a@example.com',
      subject: 'A subject',
      text: 'A text',
      html: '<p>A text</p>',
      id: 'one',
    };
    await mailer.send(email);
    mails.refuseRecipient = () => ({ code: 550, text: 'No such user' });
    await mailer.send(email);
    mails.refuseRecipient = () => ({ code: 450, text: 'Later' });
    await mailer.send(email);
    const metrics = await scrape();
    const outcomes = ['sent', 'delayed', 'refused'].map((result) =>
      metrics.value(`mails_total{result="${result}"}`),
    );
    expect(outcomes).toEqual([1, 1, 1]);
  });

  it('has what responses take of their budgets of memory', async () => {
    const { budget } = queues.doubled.service.app.app.get(AgentServerClient, { strict: false });
    const response = { server: 'http://127.0.0.1:1', bytes: 5_000, giveUp: () => undefined };
    budget.add(response, response.bytes);
    const during = await scrape();
    budget.remove(response);
    expect(during.value('agent_server_response_bytes')).toBe(5_000);
    expect(during.value('agent_server_response_budget_bytes')).toBe(128 * 1024 * 1024);
    expect(during.value('large_response_bytes')).toBe(0);
    expect((await scrape()).value('agent_server_response_bytes')).toBe(0);
  });

  it('has the delay of the event loop, streams and callbacks', async () => {
    const { names } = await scrape();
    expect([...names]).toEqual(
      expect.arrayContaining([
        'nodejs_eventloop_lag_p99_seconds',
        'event_streams',
        'event_streams_ended_total',
        ...[
          'webhook_callbacks_total',
          'webhook_deliveries_pending',
          'door_connections',
          'storage_limit_used_ratio',
        ],
      ]),
    );
  });
});
