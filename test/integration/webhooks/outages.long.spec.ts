import { newId } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';
import { call } from '../../support/service/http';
import { OK, type Reaction } from '../../support/webhooks/callback-receiver';
import { type TestWebhook, WebhookFixture } from '../../support/webhooks/webhook-fixture';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** No other attempt follows by itself while a test runs. */
const DOWN: Reaction = { status: 503, headers: { 'retry-after': '3600' } };

describe('after an outage', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.stop());

  /** An endpoint that is down, with so many conversations that were tried once. */
  async function failing(conversations: number): Promise<TestWebhook> {
    const webhook = await fixture.makeWebhook();
    fixture.receiver.react(webhook.path, () => DOWN);
    await fixture.publish(...Array.from({ length: conversations }, () => fixture.happening(newId())));
    await eventually(async () => {
      const attempts = (await fixture.deliveries(webhook)).map(({ attempts }) => attempts);
      expect(attempts).toEqual(Array<number>(conversations).fill(1));
      expect((await fixture.pauses(webhook)).every((pause) => pause > HOUR / 2)).toBe(true);
    });
    return webhook;
  }

  /** As if it had been down for so long, without Retry-After, and its lanes paused for eight hours. */
  async function longAgo({ id }: TestWebhook, since: string, probeIn = '-1 s'): Promise<void> {
    await fixture.db.query(
      `UPDATE webhooks SET failing_since = now() - $2::interval, probe_at = now() + $3::interval WHERE id = $1`,
      [id, since, probeIn],
    );
    await fixture.db.query(
      `UPDATE webhook_deliveries SET failures = 9, retry_at = now() + interval '8 hours' WHERE webhook_id = $1`,
      [id],
    );
    await fixture.db.query(
      `UPDATE webhook_lanes SET due_at = now() + interval '8 hours', not_before = NULL WHERE webhook_id = $1`,
      [id],
    );
  }

  const states = async (webhook: TestWebhook): Promise<string[]> =>
    (await fixture.deliveries(webhook)).map(({ state }) => state);

  /** The delivery that succeeds is recorded first, and then brings the others forward. */
  const allComeSoon = (webhook: TestWebhook): Promise<void> =>
    eventually(async () => {
      for (const pause of await fixture.pauses(webhook)) expect(pause).toBeLessThanOrEqual(MINUTE);
    });

  it('one delivery is tried before its time, and with its success all others come within a minute', async () => {
    const webhook = await failing(12);
    await longAgo(webhook, '1 hour');
    fixture.receiver.react(webhook.path, () => OK);
    await eventually(async () => expect(await states(webhook)).toContain('delivered'));
    await allComeSoon(webhook);
    await fixture.endPauses(webhook);
    await eventually(async () => expect(new Set(await states(webhook))).toEqual(new Set(['delivered'])));
    const [{ failing_since }] = await fixture.db.query<[{ failing_since: Date | null }]>(
      'SELECT failing_since FROM webhooks WHERE id = $1',
      [webhook.id],
    );
    expect(failing_since).toBeNull();
  });

  it('what fails once more begins its retries anew', async () => {
    const webhook = await failing(2);
    await longAgo(webhook, '1 hour');
    fixture.receiver.react(webhook.path, () => OK);
    await eventually(async () => expect(await states(webhook)).toContain('delivered'));
    await allComeSoon(webhook);
    fixture.receiver.react(webhook.path, () => ({ status: 500 }));
    await fixture.db.query('UPDATE webhook_lanes SET due_at = now() WHERE webhook_id = $1', [webhook.id]);
    await eventually(async () =>
      expect((await fixture.deliveries(webhook)).map(({ attempts }) => attempts)).toEqual([2, 2]),
    );
    await eventually(async () => {
      const [pause = 0] = await fixture.pauses(webhook);
      expect(pause).toBeLessThan(MINUTE);
    });
  });

  it('with a change of its address all deliveries come within a minute', async () => {
    const webhook = await failing(2);
    await longAgo(webhook, '1 hour', '1 minute');
    const path = `/api/organizations/${fixture.orgId}/webhooks/${webhook.id}`;
    const body = { url: fixture.receiver.url('/elsewhere') };
    const { status } = await call(fixture.service, 'PATCH', path, { key: fixture.owner.key, body });
    expect(status).toBe(200);
    for (const pause of await fixture.pauses(webhook)) expect(pause).toBeLessThanOrEqual(MINUTE);
  });

  it('that goes on, the one that was tried stays as it was, and the next is tried in five minutes', async () => {
    const webhook = await failing(2);
    await longAgo(webhook, '1 hour');
    fixture.receiver.react(webhook.path, () => ({ status: 500 }));
    const before = await fixture.deliveries(webhook);
    await eventually(() => expect(fixture.receiver.at(webhook.path)).toHaveLength(3));
    await eventually(async () => {
      for (const pause of await fixture.pauses(webhook)) expect(pause).toBeGreaterThan(7.9 * HOUR);
    });
    expect(await fixture.deliveries(webhook)).toEqual(before);
    const rows = await fixture.db.query<object[]>(
      `SELECT failures FROM webhook_deliveries WHERE webhook_id = $1`,
      [webhook.id],
    );
    expect(rows).toEqual([{ failures: 9 }, { failures: 9 }]);
    const [{ ms }] = await fixture.db.query<[{ ms: number }]>(
      'SELECT (extract(epoch FROM probe_at - now()) * 1000)::float8 AS ms FROM webhooks WHERE id = $1',
      [webhook.id],
    );
    expect(ms).toBeGreaterThan(4 * MINUTE);
    expect(ms).toBeLessThanOrEqual(5 * MINUTE);
  });

  it('what asked for a time by Retry-After gets it', async () => {
    const webhook = await failing(1);
    await longAgo(webhook, '1 hour');
    fixture.receiver.react(webhook.path, () => DOWN);
    await eventually(() => expect(fixture.receiver.at(webhook.path)).toHaveLength(2));
    await eventually(async () => {
      const rows = await fixture.db.query<object[]>(
        `SELECT 1 FROM webhook_lanes WHERE webhook_id = $1 AND fence = 0
            AND not_before > now() + interval '59 minutes'`,
        [webhook.id],
      );
      expect(rows).toHaveLength(1);
    });
    // As if the back-off had been shorter than what was asked for.
    await fixture.db.query('UPDATE webhook_lanes SET due_at = not_before WHERE webhook_id = $1', [
      webhook.id,
    ]);
    fixture.receiver.react(webhook.path, () => OK);
    await fixture.publish(fixture.happening(newId()));
    await eventually(async () => expect(await states(webhook)).toEqual(['pending', 'delivered']));
    const [pause = 0] = await fixture.pauses(webhook);
    expect(pause).toBeGreaterThan(58 * MINUTE);
  });

  it('of less than five minutes nothing is brought forward: one payload that is refused is no outage', async () => {
    const webhook = await failing(1);
    await longAgo(webhook, '4 minutes', '1 minute');
    fixture.receiver.react(webhook.path, () => OK);
    await fixture.publish(fixture.happening(newId()));
    await eventually(async () => expect(await states(webhook)).toEqual(['pending', 'delivered']));
    const [pause = 0] = await fixture.pauses(webhook);
    expect(pause).toBeGreaterThan(7.9 * HOUR);
  });
});
