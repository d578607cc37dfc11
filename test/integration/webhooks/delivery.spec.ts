import { Webhook as Verifier } from 'standardwebhooks';
import { newId } from '../../../src/common';
import { eventually } from '../../support/eventually';
import { WebhookFixture } from '../../support/webhooks/webhook-fixture';

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

describe('a callback', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.stop());

  it('arrives signed, with the headers and the payload of Standard Webhooks', async () => {
    const webhook = await fixture.makeWebhook();
    const conversationId = newId();
    const happening = fixture.happening(conversationId);
    await fixture.publish(happening);
    const callback = await eventually(() => {
      const [first] = fixture.receiver.at(webhook.path);
      if (first === undefined) throw new Error('Nothing has arrived.');
      return first;
    });
    const headers = Object.fromEntries(HEADERS.map((name) => [name, String(callback.headers[name])]));
    const { kind, ...data } = happening;
    expect(new Verifier(webhook.secret).verify(callback.body, headers)).toEqual({
      type: kind,
      timestamp: expect.any(String),
      data,
    });
    await eventually(async () => {
      const [delivery] = await fixture.deliveries(webhook);
      expect(delivery).toMatchObject({ id: headers['webhook-id'], state: 'delivered', attempts: 1 });
    });
    expect(await fixture.pauses(webhook)).toEqual([]);
  });
});
