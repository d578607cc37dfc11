import { Webhook } from 'standardwebhooks';
import { DomainEventLog } from '../../../src/kernel/domain-events';
import { auditEvent } from '../../support/audit-log/audit-rows';
import { eventually } from '../../support/eventually';
import { rounds } from '../../support/rounds';
import { OK } from '../../support/webhooks/callback-receiver';
import { type TestWebhook, WebhookFixture } from '../../support/webhooks/webhook-fixture';

const ROWS = rounds(10_000, 1_000);

describe('rows of the audit log', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.stop());

  /** Rows that tell their place in the order by their request. */
  const record = (count: number, orgId: string | null = fixture.orgId) =>
    fixture.db.transaction((transaction) =>
      fixture.service.app.get(DomainEventLog).add(
        transaction,
        Array.from({ length: count }, (_, n) => auditEvent({ org_id: orgId, request_id: String(n) })),
        false,
      ),
    );
  const requests = (webhook: TestWebhook) =>
    fixture.receiver.at(webhook.path).map(({ payload }) => payload.data['request_id']);

  it('go to webhooks that name them, and to no others', async () => {
    const named = await fixture.makeWebhook({ kinds: ['audit.recorded'] });
    const prefixed = await fixture.makeWebhook({ kinds: ['audit.*'] });
    const others = await fixture.makeWebhook({ kinds: ['*'] });
    await record(2);
    // Of no organization: nobody's.
    await record(1, null);
    await fixture.publish(fixture.happening(fixture.orgId));
    await eventually(() => {
      expect(requests(named)).toEqual(['0', '1']);
      expect(requests(prefixed)).toEqual(['0', '1']);
      expect(fixture.receiver.at(others.path)).toHaveLength(1);
    });
    expect(fixture.receiver.at(others.path)[0]?.payload.type).toBe('conversation.created');
  });

  it('are signed, and say where they stand in the log', async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['audit.*'] });
    await record(2);
    await eventually(() => expect(requests(webhook)).toHaveLength(2));
    const arrived = fixture.receiver.at(webhook.path);
    for (const { body, headers } of arrived)
      new Webhook(webhook.secret).verify(body, headers as Record<string, string>);
    const [first, second] = arrived.map(({ payload }) => payload);
    expect(first).toMatchObject({
      type: 'audit.recorded',
      data: { org_id: fixture.orgId, action: 'changeMemberRole', outcome: 'success' },
    });
    expect(Number(second?.data['position'])).toBeGreaterThan(Number(first?.data['position']));
  });

  it(`go out one after the other: a receiver that was away for ${ROWS} of them gets all, in order, each once`, async () => {
    const webhook = await fixture.makeWebhook({ kinds: ['audit.*'] });
    fixture.receiver.react(webhook.path, () => ({ status: 503 }));
    for (let n = 0; n < 10; n++) await record(ROWS / 10);
    const waiting = () =>
      fixture.db.query<[{ count: number }]>(
        `SELECT count(*)::int FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'pending'`,
        [webhook.id],
      );
    await eventually(async () => {
      expect(await waiting()).toEqual([{ count: ROWS }]);
      expect(requests(webhook)).toContain('0');
    }, 120_000);
    // The head alone was tried: it holds back what is behind it.
    expect(new Set(requests(webhook))).toEqual(new Set(['0']));

    const taken: unknown[] = [];
    fixture.receiver.react(webhook.path, ({ payload }) => {
      taken.push(payload.data['request_id']);
      return OK;
    });
    await eventually(async () => {
      await fixture.endPauses(webhook);
      expect(taken).toHaveLength(ROWS);
    }, 240_000);
    expect(taken).toEqual(Array.from({ length: ROWS }, (_, n) => String(n % (ROWS / 10))));
    expect(fixture.receiver.atOnce.get(webhook.path)?.most).toBe(1);
  });
});
