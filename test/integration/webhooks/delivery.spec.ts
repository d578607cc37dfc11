import { Webhook as Verifier } from 'standardwebhooks';
import { newId } from '../../../src/kernel/common';
import { WebhookSecrets } from '../../../src/outbound/webhooks/secrets/webhook-secrets';
import { eventually } from '../../support/eventually';
import { makeOrg } from '../../support/service/factories';
import type { ReceivedCallback } from '../../support/webhooks/callback-receiver';
import { type TestWebhook, WebhookFixture } from '../../support/webhooks/webhook-fixture';

const A_STRING: unknown = expect.any(String);
const A_NUMBER: unknown = expect.any(Number);
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const FITS = 'x'.repeat(18_000);
const TOO_LONG = 'x'.repeat(20_000);

describe('a callback', () => {
  let fixture: WebhookFixture;
  // Longer than any pause of a busy machine: nothing is sent again.
  beforeAll(async () => (fixture = await WebhookFixture.start({ env: { JOB_LEASE_SECONDS: '60' } })));
  afterAll(() => fixture.stop());

  const headersOf = ({ headers }: ReceivedCallback) =>
    Object.fromEntries(HEADERS.map((name) => [name, String(headers[name])]));

  const arrived = (webhook: TestWebhook, count = 1): Promise<ReceivedCallback[]> =>
    eventually(() => {
      const callbacks = fixture.receiver.at(webhook.path);
      expect(callbacks).toHaveLength(count);
      return callbacks;
    });

  /** An event of an agent, stored as agent servers tell it. */
  async function receive(conversationId: string, text: string, kind = 'MessageEvent'): Promise<string> {
    const id = newId();
    await fixture.db.transaction(async (transaction) => {
      await transaction.query('INSERT INTO event_logs (conversation_id, org_id) VALUES ($1, $2)', [
        conversationId,
        fixture.orgId,
      ]);
      await transaction.query(
        `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload) VALUES ($1, $2, 1, $3, now(), $4)`,
        [conversationId, id, kind, `{"id": "${id}",  "kind":"${kind}","n":1.0,"text":"${text}"}`],
      );
    });
    return id;
  }

  async function makeConversation(tags: object = {}, orgId = fixture.orgId): Promise<string> {
    const id = newId();
    await fixture.db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, tags) VALUES ($1, $2, $3, 'ready', $4)`,
      [id, orgId, fixture.owner.userId, tags],
    );
    return id;
  }

  it('arrives signed, with the headers and the payload of Standard Webhooks', async () => {
    const webhook = await fixture.makeWebhook();
    const happening = fixture.happening(newId());
    await fixture.publish(happening);
    const [callback] = await arrived(webhook);
    if (callback === undefined) throw new Error('Nothing has arrived.');
    const headers = headersOf(callback);
    const { kind, ...data } = happening;
    expect(new Verifier(webhook.secret).verify(callback.body, headers)).toEqual({
      type: kind,
      timestamp: A_STRING,
      data,
    });
    expect(callback.headers['content-type']).toBe('application/json');
    await eventually(async () => {
      const [delivery] = await fixture.deliveries(webhook);
      expect(delivery).toMatchObject({ id: headers['webhook-id'], state: 'delivered', attempts: 1 });
      expect(await fixture.pauses(webhook)).toEqual([]);
    });
    expect(await fixture.attempts(headers['webhook-id'] ?? '')).toEqual([
      { number: 1, status: 204, error: null, answer: '', duration_ms: A_NUMBER },
    ]);
  });

  it('carries nothing of the service in its headers', async () => {
    const webhook = await fixture.makeWebhook();
    await fixture.publish(fixture.happening(newId()));
    const [callback] = await arrived(webhook);
    expect(Object.keys(callback?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
  });

  it('is signed with both secrets while the one before a rotation is valid, and with the new one after', async () => {
    const webhook = await fixture.makeWebhook();
    const secrets = fixture.service.app.get(WebhookSecrets, { strict: false });
    const earlier = secrets.make();
    const setValidity = (validity: string): Promise<unknown> =>
      fixture.db.query(
        `UPDATE webhooks SET sealed_previous_secret = $2, previous_secret_until = now() + $3::interval WHERE id = $1`,
        [webhook.id, secrets.seal(webhook.id, earlier), validity],
      );
    await setValidity('1 hour');
    await fixture.publish(fixture.happening(newId()));
    const [during] = await arrived(webhook);
    if (during === undefined) throw new Error('Nothing has arrived.');
    expect(headersOf(during)['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of [webhook.secret, earlier])
      expect(() => new Verifier(secret).verify(during.body, headersOf(during))).not.toThrow();

    await setValidity('-1 second');
    await fixture.publish(fixture.happening(newId()));
    const [, after] = await arrived(webhook, 2);
    if (after === undefined) throw new Error('Nothing has arrived.');
    expect(() => new Verifier(webhook.secret).verify(after.body, headersOf(after))).not.toThrow();
    expect(() => new Verifier(earlier).verify(after.body, headersOf(after))).toThrow();
  });

  it.each([
    ['with the event as it was received, when it fits', FITS, true],
    ['without an event that would make it too long', TOO_LONG, false],
  ])('tells of an agent’s event %s', async (_, text, fits) => {
    const webhook = await fixture.makeWebhook({ kinds: ['MessageEvent'] });
    const conversationId = await makeConversation();
    const eventId = await receive(conversationId, text);
    const [callback] = await arrived(webhook);
    expect(callback?.payload).toMatchObject({
      type: 'event.received',
      data: { conversation_id: conversationId, event_id: eventId, event_kind: 'MessageEvent' },
    });
    expect(Buffer.byteLength(callback?.body ?? '')).toBeLessThan(20_000);
    if (fits)
      expect(callback?.body).toContain(`"event":{"id": "${eventId}",  "kind":"MessageEvent","n":1.0,`);
    else expect(callback?.payload.data['event']).toBeNull();
  });

  it('goes to enabled endpoints of the organization only', async () => {
    const other = await makeOrg(fixture.db);
    const webhooks = [
      await fixture.makeWebhook(),
      await fixture.makeWebhook({ enabled: false }),
      await fixture.makeWebhook({ orgId: other.id }),
    ] as const;
    await fixture.publish(fixture.happening(newId()));
    await arrived(webhooks[0]);
    expect(await fixture.deliveries(webhooks[1])).toEqual([]);
    expect(await fixture.deliveries(webhooks[2])).toEqual([]);
  });

  it('goes to the endpoints whose kinds match', async () => {
    const kinds = [
      '*',
      'conversation.*',
      'conversation.created',
      'message.*',
      'MessageEvent',
      'conversation',
    ];
    const webhooks = await Promise.all(kinds.map((kind) => fixture.makeWebhook({ kinds: [kind] })));
    await fixture.publish(fixture.happening(newId()));
    for (const webhook of webhooks.slice(0, 3)) await arrived(webhook);
    for (const webhook of webhooks.slice(3)) expect(await fixture.deliveries(webhook)).toEqual([]);
  });

  it.each([
    ['*', true],
    ['event.*', true],
    ['event.received', true],
    ['ActionEvent', true],
    ['MessageEvent', false],
    ['conversation.*', false],
  ])('of an agent’s event goes to an endpoint of the kind %s: %s', async (kind, hears) => {
    const webhook = await fixture.makeWebhook({ kinds: [kind] });
    const all = await fixture.makeWebhook({ kinds: ['event.received'] });
    await receive(await makeConversation(), 'text', 'ActionEvent');
    await arrived(all);
    expect(await fixture.deliveries(webhook)).toHaveLength(hears ? 1 : 0);
  });

  it('goes to the endpoints of its conversation', async () => {
    const [one, other] = [newId(), newId()];
    const webhook = await fixture.makeWebhook({ conversationIds: [one] });
    const all = await fixture.makeWebhook();
    await fixture.publish(fixture.happening(other), fixture.happening(one), {
      kind: 'member.removed',
      org_id: fixture.orgId,
      user_id: newId(),
    });
    await arrived(all, 3);
    const [callback] = await arrived(webhook);
    expect(callback?.payload.data['conversation_id']).toBe(one);
  });

  it('goes to the endpoints all of whose tags its conversation has', async () => {
    const webhook = await fixture.makeWebhook({ tags: { team: 'a', stage: 'live' } });
    const all = await fixture.makeWebhook();
    const tagged = await makeConversation({ team: 'a', stage: 'live', more: 'x' });
    const elsewhere = await makeConversation({ team: 'a', stage: 'live' }, (await makeOrg(fixture.db)).id);
    const others = [await makeConversation({ team: 'a' }), await makeConversation(), newId(), elsewhere];
    await fixture.publish(...[...others, tagged].map((id) => fixture.happening(id)), {
      kind: 'member.removed',
      org_id: fixture.orgId,
      user_id: newId(),
    });
    await arrived(all, 6);
    const [callback] = await arrived(webhook);
    expect(callback?.payload.data['conversation_id']).toBe(tagged);
  });

  it('follows the ones before it of its conversation, in the order in which things happened', async () => {
    const webhook = await fixture.makeWebhook();
    const conversationId = newId();
    const marks = Array.from({ length: 30 }, newId);
    for (const mark of marks) await fixture.publish(fixture.happening(conversationId, mark));
    await arrived(webhook, marks.length);
    expect(fixture.marks(webhook)).toEqual(marks);
  });

  it('is one of eight at a time to one endpoint', async () => {
    const webhook = await fixture.makeWebhook();
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    fixture.receiver.react(webhook.path, async () => {
      await held;
      return { status: 200 };
    });
    await fixture.publish(...Array.from({ length: 20 }, () => fixture.happening(newId())));
    await arrived(webhook, 8);
    const other = await fixture.makeWebhook();
    await fixture.publish(fixture.happening(newId()));
    await arrived(other);
    expect(fixture.receiver.at(webhook.path)).toHaveLength(8);
    go();
    await arrived(webhook, 21);
    expect(fixture.receiver.atOnce.get(webhook.path)?.most).toBe(8);
  });
});
