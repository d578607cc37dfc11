import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/eventually';
import { makeCaller } from '../../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';
import { QueueCalls, type QueuedMessage, saying } from '../../support/queue/queued-messages';

describe('PUT /api/v1/conversations/{conversation_id}/pending-messages/order', () => {
  let queues: QueueCalls;

  beforeAll(async () => (queues = await QueueCalls.start({ SEND_TIMEOUT_SECONDS: '5' })));
  afterEach(() => queues.doubled.double.heal());
  afterAll(() => queues.close());

  const order = <Body = ErrorBody>(
    id: string,
    ids: readonly (string | undefined)[],
  ): Promise<HttpResponse<Body>> => queues.call<Body>('PUT', id, '/order', { body: { ids } });

  it('answers the queue in its new order, which is that of the delivery', async () => {
    const conversation = await queues.waiting();
    const { id } = conversation;
    const [a, b, c] = await queues.queued(id, ['a', 'b', 'c']);
    const { status, body } = await order<{ items: QueuedMessage[] }>(id, [c, a?.toUpperCase(), b]);
    expect(status).toBe(200);
    expect(body.items.map(({ content, position }) => [content[0]?.text, position])).toEqual([
      ['c', 1],
      ['a', 2],
      ['b', 3],
    ]);
    await queues.queued(id, ['d']);
    await queues.resume(conversation);
    await queues.arrived(id, ['c', 'a', 'b', 'd']);
  });

  it('leaves the initial message the first', async () => {
    const { service, double } = queues.doubled;
    const id = randomUUID();
    queues.doubled.holdStart(id);
    await queues.queued(id, ['a', 'b']);
    await service.begin({ conversation_id: id, initial_message: saying('initial') });
    const [initial, a, b] = (await queues.list(id)).map((message) => message.id);
    for (const ids of [
      [a, initial, b],
      [b, a, initial],
    ]) {
      const { status, body } = await order(id, ids);
      expect([status, body.code]).toEqual([409, 'initial_message_first']);
    }
    expect((await order(id, [initial, b, a])).status).toBe(200);
    double.heal();
    await queues.arrived(id, ['initial', 'b', 'a']);
  });

  it('is 409 when the ids are not just those that are queued, and changes nothing', async () => {
    const { id } = await queues.waiting();
    const [a, b] = await queues.queued(id, ['a', 'b']);
    for (const ids of [[a], [b, a, a], [b, b], [b, a, randomUUID()], ['nonsense', a], []]) {
      const { status, body } = await order(id, ids);
      expect([status, body.code]).toEqual([409, 'order_mismatch']);
    }
    expect(await queues.texts(id)).toEqual(['a', 'b']);
  });

  it('is 409 once a message is claimed; the others can be reordered without it', async () => {
    const { id, messageId } = await queues.delivering();
    const [a, b] = await queues.queued(id, ['a', 'b']);
    const claimed = await order(id, [b, messageId, a]);
    expect([claimed.status, claimed.body.code]).toEqual([409, 'message_not_queued']);
    expect((await order(id, [b, a])).status).toBe(200);
    expect(await queues.texts(id)).toEqual(['on its way', 'b', 'a']);
  });

  it('is 409 when a message was delivered meanwhile', async () => {
    const { id } = await queues.doubled.conversation();
    const [a] = await queues.queued(id, ['a']);
    await eventually(async () => expect(await queues.texts(id, '?state=delivered')).toEqual(['a']));
    expect((await order(id, [a])).body).toMatchObject({ code: 'message_not_queued' });
  });

  it("is 401 without a key, 404 for another's conversation, and 422 for a body at fault", async () => {
    const { id } = await queues.waiting();
    const ids = await queues.queued(id, ['a', 'b']);
    const { app, owner } = queues.doubled.service;
    const path = `/api/v1/conversations/${id}/pending-messages/order`;
    expect((await call(app, 'PUT', path, { body: { ids } })).status).toBe(401);
    const { key } = await makeCaller(app.db, owner.orgId, 'admin');
    const foreign = await call<ErrorBody>(app, 'PUT', path, { key, body: { ids } });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'conversation_not_found']);
    for (const body of [{}, { ids: 'a' }, { ids: [1] }])
      expect((await queues.call('PUT', id, '/order', { body })).status).toBe(422);
  });
});
