import { Clock, newId } from '../../../src/kernel/common';
import { LaneLease } from '../../../src/outbound/webhooks/delivery/leases/lane-leases';
import { Settlements } from '../../../src/outbound/webhooks/delivery/settlement/settlements';
import { DeliveryStore } from '../../../src/outbound/webhooks/queue/delivery-store';
import { type TestWebhook, WebhookFixture } from '../../support/webhooks/webhook-fixture';

describe('statements about many deliveries', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.stop());

  it('are several when many endpoints hear of a batch, so that each ends in time', async () => {
    const webhooks: TestWebhook[] = [];
    for (let made = 0; made < 6; made++) webhooks.push(await fixture.makeWebhook({ enabled: false }));
    const deliveries = Array.from({ length: 500 }, (_, n) =>
      webhooks.map(({ id }) => ({
        webhookId: id,
        conversationId: newId(),
        type: 'conversation.deleted',
        eventKind: null,
        data: `{"n":${n}}`,
        occurredAt: new Date(),
      })),
    ).flat();
    const store = fixture.service.app.get(DeliveryStore, { strict: false });
    const added = await fixture.db.transaction(async (transaction) => {
      const statements = jest.spyOn(transaction, 'query');
      const ids = await store.add(transaction, deliveries);
      const webhookIds = statements.mock.calls.map(([, parameters]): unknown =>
        Array.isArray(parameters) ? parameters[1] : undefined,
      );
      // Endpoints in their order, for whoever locks lanes does so in the order of their keys.
      expect(webhookIds.flat()).toEqual(webhooks.flatMap(({ id }) => Array<string>(500).fill(id)).sort());
      for (const some of webhookIds) expect(some).toHaveLength(1_000);
      return ids;
    });
    for (const { id } of webhooks) {
      const rows = await fixture.db.query<{ id: string; data: string }[]>(
        'SELECT id, data FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY rank',
        [id],
      );
      const own = deliveries.flatMap(({ webhookId, data }, n) =>
        webhookId === id ? { id: added[n], data } : [],
      );
      expect(rows).toEqual(own);
    }
  });

  it('record what the present lease says of a lane, beside one that has lapsed', async () => {
    const webhook = await fixture.makeWebhook({ enabled: false });
    const [id, lane] = [newId(), newId()];
    await fixture.db.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, lane, type, data, occurred_at, expires_at)
       VALUES ($1, $2, $3, 'conversation.deleted', '{}', now(), now() + interval '3 days')`,
      [id, webhook.id, lane],
    );
    const [past, present] = ['9000000001', '9000000002'];
    await fixture.db.query(
      `INSERT INTO webhook_lanes (webhook_id, lane, due_at, fence) VALUES ($1, $2, now() + interval '1 day', $3)`,
      [webhook.id, lane, present],
    );
    const clock = fixture.service.app.get(Clock);
    const settlements = fixture.service.app.get(Settlements, { strict: false });
    const record = (fence: string, status: number) =>
      settlements.record(
        new LaneLease(clock, Infinity, webhook.id, lane, fence),
        { id, failures: 0, url: fixture.receiver.url(webhook.path) },
        {
          at: new Date(),
          durationMs: 1,
          status,
          answer: '',
          retryAfterMs: null,
          error: status === 204 ? null : 'The answer had the status 500.',
        },
      );
    // Of one turn of the event loop: they go together.
    const settled = await Promise.all([record(past, 500), record(present, 204)]);
    expect(settled.map(({ outcome }) => outcome)).toEqual(['lost', 'ended']);
    expect(await fixture.deliveries(webhook)).toEqual([expect.objectContaining({ state: 'delivered' })]);
    expect(await fixture.attempts(id)).toEqual([expect.objectContaining({ number: 1, status: 204 })]);
  });
});
