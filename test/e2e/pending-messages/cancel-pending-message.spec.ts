import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/eventually';
import { makeCaller } from '../../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';
import { QueueCalls, saying } from '../../support/queue/queued-messages';

describe('DELETE /api/v1/conversations/{conversation_id}/pending-messages/{message_id}', () => {
  let queues: QueueCalls;

  beforeAll(async () => (queues = await QueueCalls.start({ SEND_TIMEOUT_SECONDS: '5' })));
  afterEach(() => queues.doubled.double.heal());
  afterAll(() => queues.close());

  const cancel = (id: string, message: string | undefined, key?: string): Promise<HttpResponse<ErrorBody>> =>
    queues.call('DELETE', id, `/${message}`, key === undefined ? {} : { key });

  it('is 204 without a body, and the message is never delivered', async () => {
    const conversation = await queues.waiting();
    const { id } = conversation;
    const [, second] = await queues.queued(id, ['a', 'b', 'c']);
    const { status, body } = await cancel(id, second?.replaceAll('-', '').toUpperCase());
    expect([status, body]).toEqual([204, null]);
    expect(await queues.texts(id)).toEqual(['a', 'c']);
    await queues.resume(conversation);
    await queues.arrived(id, ['a', 'c']);
    // Its content goes at once.
    expect((await queues.list(id, '?state=cancelled')).map(({ content }) => content)).toEqual([[]]);
  });

  it('takes the initial message back too', async () => {
    const { service, double } = queues.doubled;
    const id = randomUUID();
    queues.doubled.holdStart(id);
    await service.begin({ conversation_id: id, initial_message: saying('initial') });
    await queues.queued(id, ['instead']);
    const [initial] = await queues.list(id);
    expect((await cancel(id, initial?.id)).status).toBe(204);
    double.heal();
    await queues.arrived(id, ['instead']);
  });

  it('is 409 once the message is being delivered or was delivered', async () => {
    const claimed = await queues.delivering();
    const first = await cancel(claimed.id, claimed.messageId);
    expect([first.status, first.body.code]).toEqual([409, 'message_not_queued']);
    const { id } = await queues.doubled.conversation();
    const [message] = await queues.queued(id, ['arrives']);
    await eventually(async () => expect(await queues.texts(id, '?state=delivered')).toEqual(['arrives']));
    const second = await cancel(id, message);
    expect([second.status, second.body.code]).toEqual([409, 'message_not_queued']);
  });

  it('is 404 for a message that is unknown, cancelled already or of another queue', async () => {
    const { id } = await queues.waiting();
    const other = await queues.waiting();
    const [message] = await queues.queued(id, ['once']);
    const [elsewhere] = await queues.queued(other.id, ['elsewhere']);
    expect((await cancel(id, message)).status).toBe(204);
    for (const unknown of [message, elsewhere, randomUUID(), 'nonsense']) {
      const { status, body } = await cancel(id, unknown);
      expect([status, body.code]).toEqual([404, 'message_not_found']);
    }
    expect(await queues.texts(other.id)).toEqual(['elsewhere']);
    expect((await cancel(randomUUID(), message)).status).toBe(404);
  });

  it("is 401 without a key and 404 for another's conversation, and the message stays", async () => {
    const { id } = await queues.waiting();
    const [message] = await queues.queued(id, ['mine']);
    const { app, owner } = queues.doubled.service;
    const path = `/api/v1/conversations/${id}/pending-messages/${message}`;
    expect((await call(app, 'DELETE', path)).status).toBe(401);
    const { key } = await makeCaller(app.db, owner.orgId, 'admin');
    const foreign = await cancel(id, message, key);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'conversation_not_found']);
    expect(await queues.texts(id)).toEqual(['mine']);
  });
});
