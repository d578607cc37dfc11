import { newId } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';
import { OK, type Reaction } from '../../support/webhooks/callback-receiver';
import {
  type StoredDelivery,
  type TestWebhook,
  WebhookFixture,
} from '../../support/webhooks/webhook-fixture';

const A_NUMBER: unknown = expect.any(Number);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** No other attempt follows by itself while a test runs. */
const LATER = { 'retry-after': '3600' };
const DOWN: Reaction = { status: 503, headers: LATER };

describe('a callback that fails', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.stop());

  /** The first delivery, once it was tried so often. */
  const tried = (webhook: TestWebhook, attempts = 1): Promise<StoredDelivery> =>
    eventually(async () => {
      const [delivery] = await fixture.deliveries(webhook);
      expect(delivery?.attempts).toBe(attempts);
      if (delivery === undefined) throw new Error('There is no delivery.');
      return delivery;
    });

  async function failing(reaction: Reaction): Promise<TestWebhook> {
    const webhook = await fixture.makeWebhook();
    fixture.receiver.react(webhook.path, (_, count) => (count === 1 ? reaction : OK));
    await fixture.publish(fixture.happening(newId()));
    return webhook;
  }

  it.each<[what: string, reaction: Reaction, status: number | null, error: string, answer: string | null]>([
    ['a server error', { status: 500, body: 'oops' }, 500, 'The answer had the status 500.', 'oops'],
    ['a client error', { status: 404 }, 404, 'The answer had the status 404.', ''],
    ['too many requests', { status: 429 }, 429, 'The answer had the status 429.', ''],
    ['interim answers without an end', 'interim', null, 'The answer could not be read.', null],
    ['a cut connection', 'cut', null, 'The connection was closed before the end of the answer.', null],
    [
      'a cut answer',
      'cut in the answer',
      null,
      'The connection was closed before the end of the answer.',
      null,
    ],
  ])(
    'with %s is tried again under its id, and then delivered',
    async (_, reaction, status, error, answer) => {
      const webhook = await failing(reaction);
      const id = await eventually(async () => {
        await fixture.endPauses(webhook);
        const [delivery] = await fixture.deliveries(webhook);
        expect(delivery).toMatchObject({ state: 'delivered', attempts: 2, last_error: null });
        return delivery?.id ?? '';
      });
      expect(await fixture.attempts(id)).toEqual([
        { number: 1, status, error, answer, duration_ms: A_NUMBER },
        { number: 2, status: 204, error: null, answer: '', duration_ms: A_NUMBER },
      ]);
      const ids = fixture.receiver.at(webhook.path).map(({ headers }) => headers['webhook-id']);
      expect(ids).toEqual([id, id]);
    },
  );

  it.each([301, 302, 303, 307, 308])('with a redirect (%s) is not followed', async (status) => {
    const target = await fixture.makeWebhook({ enabled: false });
    const headers = { ...LATER, location: fixture.receiver.url(target.path) };
    const webhook = await failing({ status, headers });
    expect(await tried(webhook)).toMatchObject({
      state: 'pending',
      last_error: `It was redirected with the status ${status}, which is not followed.`,
    });
    expect(fixture.receiver.at(target.path)).toEqual([]);
  });

  it('at an address that refuses connections says so, and no more', async () => {
    const webhook = await fixture.makeWebhook({ url: 'https://localhost:9/secret-path' });
    await fixture.publish(fixture.happening(newId()));
    await eventually(async () =>
      expect((await fixture.deliveries(webhook))[0]).toMatchObject({
        state: 'pending',
        last_error: 'It was not sent: the host localhost is not at a public address.',
      }),
    );
  });

  it('waits as long as Retry-After asks for', async () => {
    const webhook = await failing({ status: 503, headers: { 'retry-after': '3600' } });
    await tried(webhook);
    const [pause = 0] = await fixture.pauses(webhook);
    expect(pause).toBeGreaterThan(HOUR - 30 * SECOND);
    expect(pause).toBeLessThanOrEqual(HOUR);
    // It belongs to nobody: a renewal of the lease that is on its way finds nothing to renew.
    const lanes: unknown = await fixture.db.query('SELECT fence FROM webhook_lanes WHERE webhook_id = $1', [
      webhook.id,
    ]);
    expect(lanes).toEqual([{ fence: '0' }]);
  });

  it('waits no longer than a day, whatever Retry-After asks for', async () => {
    const webhook = await failing({ status: 429, headers: { 'retry-after': '9999999' } });
    await tried(webhook);
    const [pause = 0] = await fixture.pauses(webhook);
    expect(pause).toBeGreaterThan(23 * HOUR);
    expect(pause).toBeLessThanOrEqual(24 * HOUR);
  });

  it('is tried later and later, and given up when the next time would be after three days', async () => {
    const webhook = await fixture.makeWebhook();
    fixture.receiver.react(webhook.path, () => ({ status: 500 }));
    await fixture.publish(fixture.happening(newId()));
    const hours: number[] = [];
    // The first pause is so short that it may end while it is looked at.
    await eventually(async () => expect((await fixture.deliveries(webhook))[0]?.attempts).toBeGreaterThan(0));
    await fixture.endPauses(webhook);
    for (let attempt = 2; attempt <= 10; attempt++) {
      await tried(webhook, attempt);
      const [pause = NaN] = await fixture.pauses(webhook);
      hours.push(pause / HOUR);
      await fixture.endPauses(webhook);
    }
    const planned = [30, 120, 600, 1_800, 3_600, 10_800, 21_600, 28_800, 28_800].map((s) => s / 3_600);
    planned.forEach((expected, index) => {
      expect(hours[index]).toBeGreaterThan(0.8 * expected - 0.001);
      expect(hours[index]).toBeLessThan(1.2 * expected);
    });
  });

  it('fails for good when the next attempt would be after three days, and the lane goes on', async () => {
    const webhook = await fixture.makeWebhook();
    const conversationId = newId();
    fixture.receiver.react(webhook.path, (_, count) => (count <= 2 ? DOWN : OK));
    await fixture.publish(fixture.happening(conversationId));
    await tried(webhook);
    // As if it had been made three days ago, but for ten minutes.
    await fixture.db.query(
      `UPDATE webhook_deliveries SET expires_at = now() + interval '10 minutes' WHERE webhook_id = $1`,
      [webhook.id],
    );
    const next = newId();
    await fixture.publish(fixture.happening(conversationId, next));
    await fixture.endPauses(webhook);
    await eventually(async () => {
      const states = (await fixture.deliveries(webhook)).map(({ state }) => state);
      expect(states).toEqual(['failed', 'delivered']);
    });
    expect(fixture.marks(webhook).at(-1)).toBe(next);
  });

  it('is given up without another attempt once its time is over', async () => {
    const webhook = await failing(DOWN);
    await tried(webhook);
    await fixture.db.query('UPDATE webhook_deliveries SET expires_at = now() WHERE webhook_id = $1', [
      webhook.id,
    ]);
    await fixture.endPauses(webhook);
    await eventually(async () =>
      expect(await fixture.deliveries(webhook)).toEqual([
        expect.objectContaining({
          state: 'failed',
          attempts: 1,
          last_error: 'It was not delivered within three days.',
        }),
      ]),
    );
    expect(fixture.receiver.at(webhook.path)).toHaveLength(1);
    expect(await fixture.pauses(webhook)).toEqual([]);
  });

  it('holds back what follows in its conversation, and nothing else', async () => {
    const [webhook, other] = [await fixture.makeWebhook(), await fixture.makeWebhook()];
    const [conversation, healthy] = [newId(), newId()];
    const marks = Array.from({ length: 3 }, newId);
    fixture.receiver.react(webhook.path, ({ payload }) =>
      payload.data['sandbox_id'] === marks[0] ? DOWN : OK,
    );
    await fixture.publish(...marks.map((mark) => fixture.happening(conversation, mark)));
    await tried(webhook);
    const later = Array.from({ length: 3 }, newId);
    await fixture.publish(...later.map((mark) => fixture.happening(healthy, mark)), {
      kind: 'member.removed',
      org_id: fixture.orgId,
      user_id: newId(),
    });
    // At this endpoint what belongs to other conversations, and at the other one everything.
    await eventually(() => {
      expect(fixture.idsAt(webhook).size).toBe(5);
      expect(fixture.idsAt(other).size).toBe(7);
    });
    expect(fixture.marks(webhook).filter((mark) => mark !== undefined && mark !== marks[0])).toEqual(later);
    fixture.receiver.react(webhook.path, () => OK);
    await fixture.endPauses(webhook);
    await eventually(() => expect(fixture.marks(webhook).slice(-3)).toEqual(marks));
  });

  it('keeps the beginning of an answer as text that can be stored', async () => {
    const body = Buffer.concat([
      Buffer.from('a\u0000b\ufeff'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('é'.repeat(900)),
    ]);
    const webhook = await failing({ status: 200, body });
    const { id } = await tried(webhook);
    const [attempt] = await fixture.attempts(id);
    expect(attempt?.answer).toMatch(/^ab\ufeff\ufffd\ufffdé+$/);
    expect(Buffer.byteLength(attempt?.answer ?? '')).toBeLessThanOrEqual(1_024 + 4);
  });

  it('reads no more than 64 kB of an answer, and takes its status for what it is', async () => {
    const webhook = await failing('endless');
    expect(await tried(webhook)).toMatchObject({ state: 'delivered' });
    await eventually(() => expect(fixture.receiver.atOnce.get(webhook.path)?.now).toBe(0));
  });

  it('that has no complete answer within 15 seconds is cut off', async () => {
    const webhooks: TestWebhook[] = [];
    for (const reaction of ['hang', 'hang in the answer'] as const) {
      const webhook = await fixture.makeWebhook();
      // Every request: a busy machine may lose the lease, and what is sent again is another one.
      fixture.receiver.react(webhook.path, () => reaction);
      await fixture.publish(fixture.happening(newId()));
      webhooks.push(webhook);
    }
    for (const webhook of webhooks) {
      const attempt = await eventually(async () => {
        const [delivery] = await fixture.deliveries(webhook);
        const [first] = await fixture.attempts(delivery?.id ?? newId());
        if (first === undefined) throw new Error('Nothing was recorded.');
        return first;
      }, 60_000);
      expect(attempt).toMatchObject({
        status: null,
        error: 'There was no complete answer within 15 seconds.',
      });
      expect(attempt.duration_ms).toBeGreaterThanOrEqual(14_900);
      fixture.receiver.react(webhook.path, () => OK);
      await eventually(() => expect(fixture.receiver.atOnce.get(webhook.path)?.now).toBe(0));
    }
  });

  it('over and over is sent one request at a time, until one succeeds', async () => {
    const webhook = await fixture.makeWebhook();
    let isDown = true;
    fixture.receiver.react(webhook.path, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return isDown ? DOWN : OK;
    });
    const publish = (count: number): Promise<void> =>
      fixture.publish(...Array.from({ length: count }, () => fixture.happening(newId())));
    // Whatever is tried again meanwhile.
    const arrived = (count: number): Promise<void> =>
      eventually(() => expect(fixture.idsAt(webhook).size).toBe(count));
    await publish(24);
    await arrived(24);
    const atOnce = fixture.receiver.atOnce.get(webhook.path);
    if (atOnce === undefined) throw new Error('Nothing has arrived.');
    atOnce.most = 0;
    await publish(8);
    await arrived(32);
    expect(atOnce.most).toBe(1);
    isDown = false;
    await publish(1);
    await arrived(33);
    await publish(24);
    await arrived(57);
    expect(atOnce.most).toBeGreaterThan(1);
  });
});
