import { Webhook } from 'standardwebhooks';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import type { ErrorBody } from '../../support/service/http';
import { CallbackReceiver } from '../../support/webhooks/callback-receiver';
import { WebhookOrg } from '../../support/webhooks/webhook-org';

interface DeliveryBody extends ErrorBody {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly attempt_count: number;
  readonly last_error: string | null;
  readonly completed_at: string | null;
  readonly expires_at: string | null;
  readonly data?: unknown;
  readonly attempts?: readonly Record<string, unknown>[];
}

interface PageBody {
  readonly items: readonly DeliveryBody[];
  readonly next_page_id: string | null;
}

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

let receiver: CallbackReceiver;
let app: TestApp;
/** Sends what there is; the other one only adds to it. */
let worker: TestApp;
beforeAll(async () => {
  receiver = await CallbackReceiver.start();
  const env = { WEBHOOK_ALLOWED_HOSTS: receiver.host };
  app = await startTestApp({ env: { ...env, APP_ROLE: 'api' } });
  worker = await startTestApp({ env });
});
afterAll(async () => {
  await app.close();
  await worker.close();
  await receiver.stop();
});

const test = (org: WebhookOrg, id: string) => org.send<DeliveryBody>('POST', [id, 'test']);
const list = async (org: WebhookOrg, id: string, query = '') =>
  (await org.send<PageBody>('GET', [id, `deliveries${query}`])).body;

/** As if it had been sent. */
async function settle(id: string, state: 'delivered' | 'failed'): Promise<void> {
  await app.db.query(
    `UPDATE webhook_deliveries SET state = $2, attempts = 1, completed_at = now(),
            last_error = CASE WHEN $2 = 'failed' THEN 'The answer had the status 500.' END WHERE id = $1`,
    [id, state],
  );
}

describe('a delivery', () => {
  it('of a test is there at once, whatever the filters', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook({ kinds: ['conversation.deleted'], tags: { a: 'b' } });
    const made = await test(org, id);
    expect(made).toMatchObject({ status: 202 });
    const listed = {
      id: UUID,
      type: 'webhook.test',
      event_kind: null,
      conversation_id: null,
      state: 'pending',
      attempt_count: 0,
      last_error: null,
      occurred_at: TIME,
      created_at: TIME,
      completed_at: null,
      expires_at: TIME,
    };
    expect(made.body).toEqual(listed);
    expect(await list(org, id)).toEqual({ items: [made.body], next_page_id: null });
    expect((await org.send<DeliveryBody>('GET', [id, 'deliveries', made.body.id])).body).toEqual({
      ...made.body,
      data: { org_id: org.id, webhook_id: id },
      attempts: [],
    });
  });

  it('shows its attempts with answers and timing', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    const { body: made } = await test(org, id);
    await app.db.query(
      `INSERT INTO webhook_attempts (delivery_id, number, at, duration_ms, status, error, answer)
       VALUES ($1, 2, now(), 83, 204, NULL, ''), ($1, 1, now(), 15000, NULL, 'There was no answer.', NULL)`,
      [made.id],
    );
    const { body } = await org.send<DeliveryBody>('GET', [id, 'deliveries', made.id]);
    expect(body.attempts).toEqual([
      { number: 1, at: TIME, duration_ms: 15_000, status: null, error: 'There was no answer.', answer: null },
      { number: 2, at: TIME, duration_ms: 83, status: 204, error: null, answer: '' },
    ]);
  });

  it('is listed once, the newest first, in pages, by state where one is asked for', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await test(org, id)).body.id);
    // At the same time, as those of one batch are.
    await app.db.query('UPDATE webhook_deliveries SET created_at = $2 WHERE webhook_id = $1', [
      id,
      new Date(),
    ]);
    await settle(ids[0] ?? '', 'failed');
    await settle(ids[1] ?? '', 'delivered');
    const seen: string[] = [];
    for (let page: string | null = ''; page !== null;) {
      const answer: PageBody = await list(org, id, page === '' ? '?limit=2' : `?limit=2&page_id=${page}`);
      seen.push(...answer.items.map((item) => item.id));
      page = answer.next_page_id;
    }
    expect(seen).toEqual([...ids].sort().reverse());
    const latest = (await test(org, id)).body.id;
    expect((await list(org, id, '?limit=1')).items.map((item) => item.id)).toEqual([latest]);
    expect((await list(org, id, '?state=failed')).items.map((item) => item.id)).toEqual([ids[0]]);
    expect((await list(org, id, '?state=delivered')).items.map((item) => item.id)).toEqual([ids[1]]);
    expect((await list(org, id, '?state=pending')).items).toHaveLength(4);
  });

  it.each(['?state=lost', '?limit=0', '?limit=x'])('is not listed with %s', async (query) => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    expect((await org.send('GET', [id, `deliveries${query}`])).status).toBe(422);
  });

  it('is sent again under its id when it was delivered or has failed', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    const { body: made } = await test(org, id);
    const replay = () => org.send<DeliveryBody>('POST', [id, 'deliveries', made.id, 'replay']);
    expect(await replay()).toMatchObject({ status: 202, body: { id: made.id, state: 'pending' } });
    for (const state of ['delivered', 'failed'] as const) {
      await settle(made.id, state);
      expect(await replay()).toMatchObject({
        status: 202,
        body: { id: made.id, state: 'pending', attempt_count: 1, last_error: null, completed_at: null },
      });
    }
    expect((await list(org, id)).items).toHaveLength(1);
  });

  it('is a 404 at another webhook, and where there is none', async () => {
    const org = await WebhookOrg.make(app);
    const [id, other] = [(await org.webhook()).id, (await org.webhook()).id];
    const { body: made } = await test(org, id);
    for (const [webhookId, deliveryId] of [
      [other, made.id],
      [id, 'x'],
      [id, other],
    ] as const)
      for (const [method, ...below] of [
        ['GET', webhookId, 'deliveries', deliveryId],
        ['POST', webhookId, 'deliveries', deliveryId, 'replay'],
      ] as const)
        expect(await org.send(method, below)).toMatchObject({
          status: 404,
          body: { code: 'webhook_delivery_not_found' },
        });
  });

  it('is neither made nor sent again while the webhook is disabled, and what is pending fails', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    const { body: made } = await test(org, id);
    await org.send('POST', [id, 'disable']);
    expect((await list(org, id)).items).toEqual([
      expect.objectContaining({
        state: 'failed',
        last_error: 'The webhook is disabled.',
        completed_at: TIME,
      }),
    ]);
    for (const [below, body] of [
      [['test']],
      [['deliveries', made.id, 'replay']],
      [['replay'], { since: '2026-11-21T00:00:00Z' }],
    ] as const)
      expect(await org.send('POST', [id, ...below], body)).toMatchObject({
        status: 409,
        body: { code: 'webhook_disabled' },
      });
    await org.send('POST', [id, 'enable']);
    expect(await org.send('POST', [id, 'replay'], { since: '2000-01-01' })).toMatchObject({
      status: 202,
      body: { replayed: 1, has_more: false },
    });
  });
});

describe('the failed deliveries since a time', () => {
  it('are sent again, a thousand with a call, the oldest first', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    const { body: made } = await test(org, id);
    await settle(made.id, 'delivered');
    await app.db.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, lane, type, data, occurred_at, state, expires_at, created_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 'a.b', '{}', now(), 'failed', now(),
              timestamptz '2026-11-20' + n * interval '1 second' FROM generate_series(0, 1010) n`,
      [id],
    );
    const replay = () => org.send('POST', [id, 'replay'], { since: '2026-11-20T00:00:05Z' });
    expect(await replay()).toMatchObject({ status: 202, body: { replayed: 1_000, has_more: true } });
    const [left] = await app.db.query<{ first: Date; count: number }[]>(
      `SELECT max(created_at) FILTER (WHERE state = 'pending') AS first, count(*) FILTER (WHERE state = 'failed')::int AS count
         FROM webhook_deliveries WHERE webhook_id = $1`,
      [id],
    );
    expect(left).toEqual({ first: new Date('2026-11-20T00:16:44Z'), count: 11 });
    expect((await replay()).body).toEqual({ replayed: 6, has_more: false });
    expect((await replay()).body).toEqual({ replayed: 0, has_more: false });
    expect((await list(org, id, '?state=failed')).items).toHaveLength(5);
  });

  it.each([[{}], [{ since: null }], [{ since: 'yesterday' }], [{ since: {} }]])(
    'are not sent again for %j',
    async (body) => {
      const org = await WebhookOrg.make(app);
      const { id } = await org.webhook();
      expect((await org.send('POST', [id, 'replay'], body)).status).toBe(422);
    },
  );
});

describe('a webhook that was made by the API', () => {
  it('gets a test, signed with its secret, and with both during a rotation', async () => {
    const org = await WebhookOrg.make(worker);
    const made = await org.webhook({ url: receiver.url('/story'), kinds: ['conversation.deleted'] });
    const arrived = async (count: number) => {
      await eventually(() => expect(receiver.at('/story')).toHaveLength(count));
      return receiver.at('/story').at(-1)!;
    };
    const verified = (secret: string, { body, headers }: Awaited<ReturnType<typeof arrived>>) =>
      new Webhook(secret).verify(body, {
        'webhook-id': String(headers['webhook-id']),
        'webhook-timestamp': String(headers['webhook-timestamp']),
        'webhook-signature': String(headers['webhook-signature']),
      });
    const { body: first } = await test(org, made.id);
    const payload = { type: 'webhook.test', timestamp: TIME, data: { org_id: org.id, webhook_id: made.id } };
    const callback = await arrived(1);
    expect(verified(made.secret, callback)).toEqual(payload);
    expect(callback.headers['webhook-id']).toBe(first.id);
    await eventually(async () => expect((await list(org, made.id)).items[0]?.state).toBe('delivered'));
    const { body: details } = await org.send<DeliveryBody>('GET', [made.id, 'deliveries', first.id]);
    expect(details).toMatchObject({ attempt_count: 1, attempts: [{ number: 1, status: 204, error: null }] });

    const { secret = '' } = (await org.send('POST', [made.id, 'rotate-secret'])).body;
    await org.send('POST', [made.id, 'deliveries', first.id, 'replay']);
    const again = await arrived(2);
    expect(again.headers['webhook-id']).toBe(first.id);
    for (const known of [made.secret, secret]) expect(verified(known, again)).toEqual(payload);
    expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, again)).toThrow();
  });
});
