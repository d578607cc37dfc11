import { newId } from '../../../src/kernel/common';
import { WebhookCleanUp } from '../../../src/outbound/webhooks/upkeep/webhook-clean-up';
import { eventually } from '../../support/eventually';
import { OK } from '../../support/webhooks/callback-receiver';
import { WebhookFixture } from '../../support/webhooks/webhook-fixture';

describe('callbacks of others', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.stop());

  it('go on while a webhook is deleted, however long that takes', async () => {
    const [deleted, other] = [await fixture.makeWebhook(), await fixture.makeWebhook()];
    fixture.receiver.react(deleted.path, () => ({ status: 500 }));
    await fixture.publish(fixture.happening(newId()), fixture.happening(newId()));
    await eventually(async () =>
      expect((await fixture.deliveries(deleted)).map(({ attempts }) => attempts)).toEqual([1, 1]),
    );
    const [delivery] = await fixture.deliveries(deleted);
    const url = `${fixture.service.url}/api/organizations/${fixture.orgId}/webhooks/${deleted.id}`;
    let answer: Promise<Response> | undefined;
    await fixture.db.transaction(async (transaction) => {
      // Stands for millions of rows.
      await transaction.query('SELECT 1 FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [delivery?.id]);
      answer = fetch(url, { method: 'DELETE', headers: { 'x-access-token': fixture.owner.key } });
      await eventually(() => fixture.waitsForLock());
      const mark = newId();
      await fixture.publish(fixture.happening(newId(), mark));
      await eventually(() => expect(fixture.marks(other)).toContain(mark), 5_000);
      expect(fixture.marks(deleted)).not.toContain(mark);
      await fixture.service.app.get(WebhookCleanUp, { strict: false }).cleanUp();
    });
    expect((await answer)?.status).toBe(200);
    expect(await fixture.deliveries(deleted)).toEqual([]);
    expect(await fixture.db.query('SELECT 1 FROM webhooks WHERE id = $1', [deleted.id])).toEqual([]);
  });

  it('have room beside an endpoint that takes long for each answer, as it gets one request at a time', async () => {
    const slow = await fixture.makeWebhook();
    fixture.receiver.react(slow.path, async () => {
      // What is still on its way when the test ends keeps no process alive.
      await new Promise((resolve) => void setTimeout(resolve, 5_200).unref());
      return OK;
    });
    const happen = (count: number) =>
      fixture.publish(...Array.from({ length: count }, () => fixture.happening(newId())));
    await happen(3);
    const delivered = async () =>
      (await fixture.deliveries(slow)).filter(({ state }) => state === 'delivered').length;
    await eventually(async () => expect(await delivered()).toBe(3));
    const atOnce = fixture.receiver.atOnce.get(slow.path);
    expect(atOnce?.most).toBe(3);
    if (atOnce !== undefined) atOnce.most = 0;
    await happen(4);
    await eventually(async () => expect(await delivered()).toBe(5));
    expect(atOnce?.most).toBe(1);
  });
});
