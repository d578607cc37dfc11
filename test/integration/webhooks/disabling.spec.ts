import { newId } from '../../../src/kernel/common';
import type { DomainEvent } from '../../../src/kernel/domain-events';
import { WebhookCleanUp } from '../../../src/outbound/webhooks/upkeep/webhook-clean-up';
import { fill } from '../../support/database/fill';
import { eventually } from '../../support/eventually';
import { type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';
import { makeCaller, makeMember, makeUser, type TestUser } from '../../support/service/factories';
import { OK, type Reaction } from '../../support/webhooks/callback-receiver';
import { type TestWebhook, WebhookFixture } from '../../support/webhooks/webhook-fixture';

/** No other attempt follows by itself while a test runs. */
const DOWN: Reaction = { status: 503, headers: { 'retry-after': '3600' } };

describe('an endpoint', () => {
  let fixture: WebhookFixture;
  let mail: SmtpSink;
  let second: TestUser;
  /** Hears what becomes of the others. */
  let watcher: TestWebhook;

  beforeAll(async () => {
    mail = await startSmtpSink();
    fixture = await WebhookFixture.start({ env: { SMTP_URL: mail.url, MAIL_FROM: 'service@example.com' } });
    second = await makeMember(fixture.db, fixture.orgId, 'owner');
    await makeCaller(fixture.db, fixture.orgId, 'admin');
    const left = await makeUser(fixture.db, { disabled: true });
    await makeMember(fixture.db, fixture.orgId, 'owner', left);
    watcher = await fixture.makeWebhook({ kinds: ['webhook.disabled'] });
  });
  afterAll(async () => {
    await fixture.stop();
    await mail.close();
  });
  beforeEach(() => mail.received.splice(0));

  const stateOf = async ({ id }: TestWebhook) => {
    const [row] = await fixture.db.query<{ enabled: boolean; reason: string | null; failing: boolean }[]>(
      `SELECT enabled, disabled_reason AS reason, failing_since IS NOT NULL AS failing FROM webhooks WHERE id = $1`,
      [id],
    );
    return row;
  };

  const failingFor = (webhook: TestWebhook, days: string): Promise<unknown> =>
    fixture.db.query('UPDATE webhooks SET failing_since = now() - $2::interval WHERE id = $1', [
      webhook.id,
      days,
    ]);

  const happen = async (count = 1): Promise<void> =>
    fixture.publish(...Array.from({ length: count }, () => fixture.happening(newId())));

  async function isDisabled(webhook: TestWebhook, reason: string, words: string): Promise<void> {
    await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ enabled: false, reason }));
    const event: Partial<DomainEvent> = { org_id: fixture.orgId, webhook_id: webhook.id };
    await eventually(() => {
      const told = fixture.receiver.at(watcher.path).map(({ payload }) => payload);
      expect(told).toContainEqual(
        expect.objectContaining({ type: 'webhook.disabled', data: { ...event, reason } }),
      );
      expect(mail.received.map(({ to }) => to[0]).sort()).toEqual([fixture.owner.email, second.email].sort());
    });
    for (const { raw } of mail.received) {
      const text = raw.replaceAll(/=\r\n/g, '').replaceAll(/\r\n/g, ' ');
      expect(text).toContain(words);
      expect(text).not.toContain(webhook.path);
    }
    const ends = await eventually(async () => {
      const rows = await fixture.db.query<{ state: string; last_error: string }[]>(
        'SELECT DISTINCT state, last_error FROM webhook_deliveries WHERE webhook_id = $1',
        [webhook.id],
      );
      expect(rows.map(({ state }) => state)).not.toContain('pending');
      return rows;
    });
    expect(ends).toContainEqual({ state: 'failed', last_error: 'The webhook is disabled.' });
    expect(await fixture.pauses(webhook)).toEqual([]);
  }

  it('that answers 410 is disabled at once, and its owners are told', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'] });
    fixture.receiver.react(webhook.path, () => ({ status: 410 }));
    await happen(3);
    await isDisabled(webhook, 'gone', 'status 410');
    expect((await fixture.deliveries(webhook)).map(({ state }) => state)).toEqual([
      'failed',
      'failed',
      'failed',
    ]);
  });

  it('whose address is changed meanwhile stays enabled when the one before answers 410', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'] });
    const other = await fixture.makeWebhook({ enabled: false });
    fixture.receiver.react(webhook.path, async () => {
      const url = fixture.receiver.url(other.path);
      await fixture.db.query('UPDATE webhooks SET url = $2 WHERE id = $1', [webhook.id, url]);
      return { status: 410 };
    });
    await happen();
    await eventually(async () => expect((await fixture.deliveries(webhook))[0]?.attempts).toBe(1));
    await fixture.endPauses(webhook);
    await eventually(() => expect(fixture.receiver.at(other.path)).toHaveLength(1));
    expect(await stateOf(webhook)).toMatchObject({ enabled: true, failing: false });
  });

  it('that has only failed for five days is disabled, and its owners are told', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'] });
    fixture.receiver.react(webhook.path, () => DOWN);
    await happen();
    await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ failing: true }));
    await failingFor(webhook, '5 days 1 minute');
    await fixture.endPauses(webhook);
    await isDisabled(webhook, 'failing', 'has failed for five days');
  });

  it('that has failed for not quite five days stays enabled', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'] });
    fixture.receiver.react(webhook.path, () => DOWN);
    await happen();
    await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ failing: true }));
    await failingFor(webhook, '4 days 23 hours');
    await fixture.endPauses(webhook);
    await eventually(async () => expect((await fixture.deliveries(webhook))[0]?.attempts).toBe(2));
    expect(await stateOf(webhook)).toMatchObject({ enabled: true });
  });

  it('that succeeds once is no longer failing', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'] });
    fixture.receiver.react(webhook.path, (_, count) => (count === 1 ? DOWN : OK));
    await happen();
    await eventually(async () => expect(await stateOf(webhook)).toMatchObject({ failing: true }));
    await failingFor(webhook, '6 days');
    await fixture.endPauses(webhook);
    await eventually(async () =>
      expect(await stateOf(webhook)).toMatchObject({ enabled: true, failing: false }),
    );
  });

  it('that has succeeded since it is said to fail is not disabled', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'] });
    await happen();
    await eventually(async () => expect((await fixture.deliveries(webhook))[0]?.state).toBe('delivered'));
    await failingFor(webhook, '6 days');
    await fixture.db.query(
      `UPDATE webhook_deliveries SET completed_at = now() - interval '1 day' WHERE webhook_id = $1`,
      [webhook.id],
    );
    fixture.receiver.react(webhook.path, () => DOWN);
    await happen();
    await eventually(async () => expect((await fixture.deliveries(webhook))[1]?.attempts).toBe(1));
    await eventually(async () =>
      expect(await stateOf(webhook)).toMatchObject({ enabled: true, failing: false }),
    );
  });

  it('for which more than 100,000 deliveries wait is disabled, and its owners are told', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'] });
    const lane = newId();
    const pend = (count: number): Promise<void> =>
      fill(
        fixture.service.database,
        `INSERT INTO webhook_deliveries (id, webhook_id, lane, type, data, occurred_at, expires_at)
         SELECT gen_random_uuid(), $1, $2, 'conversation.deleted', '{}', now(), now() + interval '3 days'
           FROM generate_series(1, $3)`,
        [webhook.id, lane, count],
      );
    await pend(100_000);
    await fixture.service.app.get(WebhookCleanUp, { strict: false }).cleanUp();
    expect(await stateOf(webhook)).toMatchObject({ enabled: true });
    await pend(1);
    await fixture.service.app.get(WebhookCleanUp, { strict: false }).cleanUp();
    await isDisabled(webhook, 'backlog', 'more than 100,000 callbacks');
  });

  it('forgets deliveries that ended seven days ago, and no others', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'] });
    await happen(3);
    await eventually(async () =>
      expect((await fixture.deliveries(webhook)).map(({ state }) => state)).toEqual(
        Array.from({ length: 3 }, () => 'delivered'),
      ),
    );
    const [old, recent, pending] = await fixture.deliveries(webhook);
    await fixture.db.query(
      `UPDATE webhook_deliveries SET created_at = now() - interval '7 days 2 minutes',
              completed_at = now() - interval '7 days 1 minute' WHERE id = $1`,
      [old?.id],
    );
    await fixture.db.query(
      `UPDATE webhook_deliveries SET created_at = now() - interval '8 days',
              completed_at = now() - interval '6 days 23 hours' WHERE id = $1`,
      [recent?.id],
    );
    await fixture.db.query(
      `UPDATE webhook_deliveries SET state = 'pending', completed_at = NULL, created_at = now() - interval '9 days'
        WHERE id = $1`,
      [pending?.id],
    );
    await fixture.service.app.get(WebhookCleanUp, { strict: false }).cleanUp();
    const left = (await fixture.deliveries(webhook)).map(({ id }) => id);
    expect(left).toEqual([recent?.id, pending?.id]);
    expect(await fixture.attempts(old?.id ?? '')).toEqual([]);
  });

  it('fails what was added while it was being disabled', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'] });
    fixture.receiver.react(webhook.path, () => DOWN);
    await happen();
    await eventually(async () => expect((await fixture.deliveries(webhook))[0]?.attempts).toBe(1));
    await fixture.db.query(
      `UPDATE webhooks SET enabled = false, disabled_reason = 'by_request' WHERE id = $1`,
      [webhook.id],
    );
    await fixture.service.app.get(WebhookCleanUp, { strict: false }).cleanUp();
    expect(await fixture.deliveries(webhook)).toEqual([
      expect.objectContaining({ state: 'failed', last_error: 'The webhook is disabled.' }),
    ]);
    expect(await fixture.pauses(webhook)).toEqual([]);
  });

  it('that is enabled while leftovers are given up keeps what waits from then on', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.*'], enabled: false });
    const id = newId();
    let cleaning: Promise<void> | undefined;
    await fixture.db.transaction(async (transaction) => {
      await transaction.query('UPDATE webhooks SET enabled = true WHERE id = $1', [webhook.id]);
      await fixture.db.query(
        `INSERT INTO webhook_deliveries (id, webhook_id, lane, type, data, occurred_at, expires_at)
         VALUES ($1, $2, $1, 'conversation.deleted', '{}', now(), now() + interval '3 days')`,
        [id, webhook.id],
      );
      cleaning = fixture.service.app.get(WebhookCleanUp, { strict: false }).cleanUp();
      await Promise.race([cleaning, eventually(() => fixture.waitsForLock())]);
    });
    await cleaning;
    expect(await fixture.deliveries(webhook)).toEqual([expect.objectContaining({ id, state: 'pending' })]);
  });

  it('is counted in the metrics, with what is pending', async () => {
    const metrics = async (): Promise<string> => (await fetch(`${fixture.service.url}/metrics`)).text();
    await eventually(async () => {
      const text = await metrics();
      expect(text).toMatch(/^webhook_callbacks_total\{result="delivered"\} [1-9]/m);
      expect(text).toMatch(/^webhook_callbacks_total\{result="refused"\} [1-9]/m);
      expect(text).toMatch(/^webhook_callback_duration_seconds_count [1-9]/m);
      // The delivery that was made pending above.
      expect(text).toMatch(/^webhook_deliveries_pending [1-9]/m);
      expect(text).toMatch(/^webhook_oldest_pending_seconds [7-9]\d{5}/m);
    }, 60_000);
  });
});
