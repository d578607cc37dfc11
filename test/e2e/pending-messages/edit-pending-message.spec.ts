import { randomUUID } from 'node:crypto';
import { sendOf } from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { makeCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { QueueCalls, type QueuedMessage, saying } from '../../support/queue/queued-messages';

describe('PATCH /api/v1/conversations/{conversation_id}/pending-messages/{message_id}', () => {
  let queues: QueueCalls;

  beforeAll(async () => (queues = await QueueCalls.start({ SEND_TIMEOUT_SECONDS: '5' })));
  afterEach(() => queues.doubled.double.heal());
  afterAll(() => queues.close());

  const edit = <Body = ErrorBody>(id: string, message: string | undefined, key?: string) =>
    queues.call<Body>('PATCH', id, `/${message}`, { body: saying('new'), ...(key !== undefined && { key }) });

  it('answers the queue with the new content in its old place, which is what is delivered', async () => {
    const conversation = await queues.waiting();
    const { id } = conversation;
    const [, second] = await queues.queued(id, ['a', 'old', 'c']);
    const { status, body } = await edit<{ items: QueuedMessage[] }>(id, second?.toUpperCase());
    expect(status).toBe(200);
    expect(body.items.map(({ content, position }) => [content[0]?.text, position])).toEqual([
      ['a', 1],
      ['new', 2],
      ['c', 3],
    ]);
    await queues.resume(conversation);
    await queues.arrived(id, ['a', 'new', 'c']);
  });

  it('gives a message another mode, keeps that of one without a new one, and is 422 for what is none', async () => {
    const { id } = await queues.waiting();
    const [message] = await queues.queued(id, ['old']);
    const change = async (mode?: unknown) => {
      const body = { ...saying('new'), ...(mode !== undefined && { mode }) };
      return queues.call<{ items?: QueuedMessage[] }>('PATCH', id, `/${message}`, { body });
    };
    for (const [given, now] of [
      ['after_run', 'after_run'],
      [undefined, 'after_run'],
      ['steer', 'steer'],
    ])
      expect((await change(given)).body.items).toMatchObject([{ mode: now }]);
    for (const mode of ['later', null, 1]) expect((await change(mode)).status).toBe(422);
    expect(await queues.list(id)).toMatchObject([{ mode: 'steer' }]);
  });

  it('is 409 once the message is being delivered, was delivered or has failed', async () => {
    const claimed = await queues.delivering();
    const first = await edit(claimed.id, claimed.messageId);
    expect([first.status, first.body.code]).toEqual([409, 'message_not_queued']);
    expect(first.body.detail).toContain('delivering');

    const { double } = queues.doubled;
    const { id } = await queues.doubled.conversation();
    double.fail({ kind: 'status', status: 422, stored: false }, sendOf(id, 'fails'), Infinity);
    const messages = await queues.queued(id, ['fails', 'arrives']);
    await eventually(async () => expect(await queues.texts(id, '?state=delivered')).toEqual(['arrives']));
    for (const message of messages)
      expect((await edit(id, message)).body).toMatchObject({ code: 'message_not_queued' });
    expect(await queues.texts(id, '?state=failed,delivered')).toEqual(['fails', 'arrives']);
  });

  it('is 404 for a message that is unknown, cancelled or of another queue', async () => {
    const { id } = await queues.waiting();
    const other = await queues.waiting();
    const [cancelled] = await queues.queued(id, ['cancelled']);
    const [elsewhere] = await queues.queued(other.id, ['elsewhere']);
    await queues.call('DELETE', id, `/${cancelled}`);
    for (const message of [cancelled, elsewhere, randomUUID(), 'nonsense'])
      expect((await edit(id, message)).body).toMatchObject({ code: 'message_not_found' });
    expect(await queues.texts(other.id)).toEqual(['elsewhere']);
  });

  it("is 401 without a key, 404 for another's conversation, and 422 for a body at fault", async () => {
    const { id } = await queues.waiting();
    const [message] = await queues.queued(id, ['mine']);
    const { app, owner } = queues.doubled.service;
    const path = `/api/v1/conversations/${id}/pending-messages/${message}`;
    expect((await call(app, 'PATCH', path, { body: saying('new') })).status).toBe(401);
    const { key } = await makeCaller(app.db, owner.orgId, 'admin');
    expect((await edit(id, message, key)).body).toMatchObject({ code: 'conversation_not_found' });
    for (const body of [{}, { content: [] }, { content: [{ type: 'text', text: 'x', extra: 1 }] }])
      expect((await queues.call('PATCH', id, `/${message}`, { body })).status).toBe(422);
    expect(await queues.texts(id)).toEqual(['mine']);
  });
});
