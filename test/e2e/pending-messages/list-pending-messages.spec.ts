import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { sendOf } from '../../support/agent-server/agent-server-calls';
import type { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import type { ConversationService } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';
import { makeCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { QueueCalls, type QueuedMessage } from '../../support/queue/queued-messages';

describe('GET /api/v1/conversations/{conversation_id}/pending-messages', () => {
  let queues: QueueCalls;
  let service: ConversationService;
  let double: AgentServerDouble;

  beforeAll(async () => {
    queues = await QueueCalls.start();
    ({ service, double } = queues.doubled);
  });
  afterEach(() => double.heal());
  afterAll(() => queues.close());

  const states = (messages: readonly QueuedMessage[]) =>
    messages.map(({ state, position, content }) => [content[0]?.text, state, position]);

  it('lists each message with all its fields, and its content to the letter', async () => {
    const { id } = await queues.waiting();
    const content = '[ {"type":"text","text":"caf\\u00e9", "cache_prompt":true} ]';
    await queues.call('POST', id, '', { raw: `{"content":${content}}` });
    const response = await queues.call<{ items: unknown[] }>('GET', id);
    expect([response.status, response.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(response.body).toEqual({
      items: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          state: 'queued',
          position: 1,
          mode: 'steer',
          role: 'user',
          content: [{ type: 'text', text: 'café', cache_prompt: true }],
          created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
          attempts: 0,
          last_error: null,
          delivered_at: null,
        },
      ],
      next_page_id: null,
    });
    const { text } = await request(service.app.url)
      .get(`/api/v1/conversations/${id}/pending-messages`)
      .set('X-Access-Token', service.owner.key)
      .expect(200);
    expect(text).toContain(`"content":${content},`);
  });

  it('is JSON whatever was queued', async () => {
    const { id } = await queues.waiting();
    const content = '[{"type":"image","image_urls":["data:,NaN"],"scale":NaN,"most":[-Infinity]}]';
    expect((await queues.call('POST', id, '', { raw: `{"content":${content}}` })).status).toBe(200);
    expect((await queues.call('GET', id)).body).toMatchObject({
      items: [{ content: [{ type: 'image', image_urls: ['data:,NaN'], scale: null, most: [null] }] }],
    });
  });

  it('lists what is queued, delivering or failed, and others when asked for', async () => {
    const conversation = await queues.waiting();
    const { id } = conversation;
    const [, , cancelled] = await queues.queued(id, ['arrives', 'refused', 'cancelled', 'held']);
    await queues.call('DELETE', id, `/${cancelled}`);
    expect(states(await queues.list(id))).toEqual([
      ['arrives', 'queued', 1],
      ['refused', 'queued', 2],
      ['held', 'queued', 3],
    ]);
    const fail = (status: number, text: string) =>
      double.fail({ kind: 'status', status, stored: false, detail: 'not now' }, sendOf(id, text), Infinity);
    fail(422, 'refused');
    fail(409, 'held');
    await queues.resume(conversation);
    await eventually(async () => {
      const items = await queues.list(id);
      expect(states(items)).toEqual([
        ['refused', 'failed', null],
        ['held', 'queued', 1],
      ]);
      expect(items[1]?.last_error).toEqual(expect.stringContaining('not now'));
    });
    const [refused] = await queues.list(id);
    expect(refused).toMatchObject({ last_error: expect.stringContaining('not now') as string, attempts: 1 });
    expect(await queues.texts(id, '?state=delivered')).toEqual(['arrives']);
    expect((await queues.list(id, '?state=delivered'))[0]?.delivered_at).toMatch(/^\d{4}-.*Z$/);
    // The content of a cancelled message goes at once.
    expect((await queues.list(id, '?state=cancelled')).map(({ content }) => content)).toEqual([[]]);
    expect(await queues.texts(id, '?state=delivered,failed')).toEqual(['arrives', 'refused']);
    // It is queued but for the moments in which it is tried again.
    await eventually(async () =>
      expect(await queues.texts(id, '?state=delivered&state=queued')).toEqual(['arrives', 'held']),
    );
  });

  it('counts positions anew after a delivery and after a cancellation', async () => {
    const conversation = await queues.waiting();
    const { id } = conversation;
    const messages = await queues.queued(id, ['a', 'b', 'c', 'd']);
    await queues.call('DELETE', id, `/${messages[1]}`);
    expect(states(await queues.list(id, '?state=queued'))).toEqual([
      ['a', 'queued', 1],
      ['c', 'queued', 2],
      ['d', 'queued', 3],
    ]);
    double.fail({ kind: 'status', status: 409, stored: false }, sendOf(id, 'c'), Infinity);
    await queues.resume(conversation);
    await eventually(async () =>
      expect(states(await queues.list(id, '?state=queued,delivering'))).toEqual([
        ['c', 'queued', 1],
        ['d', 'queued', 2],
      ]),
    );
  });

  it('has delivered messages for 7 days, and not longer', async () => {
    const { id } = await queues.doubled.conversation();
    const [older, younger] = await queues.queued(id, ['eight days', 'six days']);
    await eventually(async () => expect(await queues.list(id, '?state=delivered')).toHaveLength(2));
    const age = (message: string | undefined, hours: number) =>
      service.app.db.query(
        `UPDATE pending_messages SET created_at = now() - interval '30 days',
                delivered_at = now() - $2 * interval '1 hour' WHERE id = $1`,
        [message, hours],
      );
    await age(older, 7 * 24 + 0.1);
    await age(younger, 7 * 24 - 0.1);
    await queues.cleanUp();
    expect(await queues.texts(id, '?state=delivered')).toEqual(['six days']);
  });

  it('is empty for an id that nothing was queued for', async () => {
    for (const id of [randomUUID(), 'any text', (await queues.waiting()).id])
      expect(await queues.list(id)).toEqual([]);
  });

  it('is 422 for a state that there is not', async () => {
    const { id } = await queues.waiting();
    const response = await queues.call<{ detail: { loc: unknown[] }[] }>('GET', id, '?state=queued,gone');
    expect([response.status, response.body.detail[0]?.loc[0]]).toEqual([422, 'query']);
  });

  it("is 401 without a key and 404 for another's, admins included", async () => {
    const { id } = await queues.waiting();
    expect((await call(service.app, 'GET', `/api/v1/conversations/${id}/pending-messages`)).status).toBe(401);
    const { key } = await makeCaller(service.app.db, service.owner.orgId, 'admin');
    const { status, body } = await queues.call('GET', id, '', { key });
    expect([status, body.code]).toEqual([404, 'conversation_not_found']);
  });
});
