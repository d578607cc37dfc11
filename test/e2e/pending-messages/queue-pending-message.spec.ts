import { randomUUID } from 'node:crypto';
import { sendTo, startOf } from '../../support/agent-server/agent-server-calls';
import type { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import type { ConversationService, StartTask } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';
import { makeCaller, makeKey, makeOrg } from '../../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';
import { QueueCalls, type Receipt, saying } from '../../support/queue/queued-messages';

const hex = (id: string): string => id.replaceAll('-', '');
const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `message ${i}`);

interface Faults {
  readonly detail: readonly { readonly loc: (string | number)[]; readonly type: string }[];
}

describe('POST /api/v1/conversations/{conversation_id}/pending-messages', () => {
  let queues: QueueCalls;
  let service: ConversationService;
  let double: AgentServerDouble;

  beforeAll(async () => {
    queues = await QueueCalls.start({ DELIVERY_SETTLE_SECONDS: '0.5', SEND_TIMEOUT_SECONDS: '0.5' });
    ({ service, double } = queues.doubled);
  });
  afterEach(() => double.heal());
  afterAll(() => queues.close());

  function expectError(response: HttpResponse<ErrorBody>, status: number, code: string): void {
    expect([response.status, response.body.code]).toEqual([status, code]);
  }

  it('stores the message and answers its id and its place', async () => {
    const { id } = await queues.waiting();
    for (const position of [1, 2, 3]) {
      const { status, body } = await queues.post<Receipt>(id, `message ${position}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        queued: true,
        position,
      });
    }
  });

  it('takes a mode, steer without one, which the list shows, and is 400 for any other', async () => {
    const { id } = await queues.waiting();
    for (const mode of [undefined, 'steer', 'after_run'])
      expect((await queues.post(id, 'x', { body: { ...saying('x'), mode } })).status).toBe(200);
    expect((await queues.list(id)).map(({ mode }) => mode)).toEqual(['steer', 'steer', 'after_run']);
    for (const mode of ['later', '', null]) {
      const { status, body } = await queues.post<Faults>(id, 'x', { body: { ...saying('x'), mode } });
      expect([status, body.detail[0]?.loc]).toEqual([400, ['body', 'mode']]);
    }
    expect(await queues.list(id)).toHaveLength(3);
  });

  it('delivers what is queued for a running conversation at once, and for a paused one after its resume', async () => {
    const running = await queues.doubled.conversation();
    await queues.queued(running.id, ['one', 'two']);
    await queues.arrived(running.id, ['one', 'two']);
    const paused = await queues.waiting();
    await queues.queued(paused.id, numbers(3));
    expect(double.messages(paused.id)).toEqual([]);
    await queues.resume(paused);
    await queues.arrived(paused.id, numbers(3));
    const sent = double.arrived(sendTo(paused.id)).at(-1);
    expect(JSON.parse(sent?.body ?? '')).toEqual({ role: 'user', ...saying('message 2'), run: true });
  });

  it('takes messages while the conversation starts: all ids of it meet in one queue, after the initial message', async () => {
    const id = randomUUID();
    queues.doubled.holdStart(id);
    const task = await service.begin({ conversation_id: id, initial_message: saying('initial') });
    const spellings = [
      task.id,
      hex(task.id),
      `task-${hex(task.id)}`,
      `task-${hex(task.id).toUpperCase()}`,
      task.id.toUpperCase(),
      id,
      hex(id),
      id.toUpperCase(),
    ];
    for (const [index, spelling] of spellings.entries())
      expect((await queues.post<Receipt>(spelling, spelling)).body.position).toBe(index + 2);
    for (const spelling of spellings) expect(await queues.texts(spelling)).toEqual(['initial', ...spellings]);
    // Eight and the initial one, which does not count: two more fit.
    await queues.queued(id, ['ninth', 'tenth']);
    expectError(await queues.post(id, 'eleventh'), 429, 'too_many_pending_messages');
    double.heal();
    await queues.arrived(id, ['initial', ...spellings, 'ninth', 'tenth']);
  });

  it('is 429 with Retry-After when ten wait, until one was delivered or cancelled', async () => {
    const { id } = await queues.waiting();
    const [first] = await queues.queued(id, numbers(10));
    const full = await queues.post(id, 'one too many');
    expectError(full, 429, 'too_many_pending_messages');
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0);
    expect((await queues.call('DELETE', id, `/${first}`)).status).toBe(204);
    expect((await queues.post<Receipt>(id, 'fits again')).body.position).toBe(10);
  });

  it('takes one of thirty at once when nine wait', async () => {
    const { id } = await queues.waiting();
    await queues.queued(id, numbers(9));
    const responses = await Promise.all(numbers(30).map((text) => queues.post(id, text)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(29).fill(429)]);
    expect(await queues.list(id)).toHaveLength(10);
  });

  describe('is 400 for a body at fault, and stores nothing', () => {
    it.each<[string, unknown, string, (string | number)[]]>([
      ['no content', {}, 'missing', ['body', 'content']],
      ['an empty list', { content: [] }, 'too_short', ['body', 'content']],
      ['another role', { ...saying('x'), role: 'system' }, 'literal_error', ['body', 'role']],
      ['content that is no list', { content: 'x' }, 'list_type', ['body', 'content']],
    ])('with %s', async (_, body, type, loc) => {
      const { id } = await queues.waiting();
      const response = await queues.call<Faults>('POST', id, '', { body });
      expect(response.status).toBe(400);
      expect(response.body.detail).toEqual([expect.objectContaining({ type, loc })]);
      expect(await queues.list(id)).toEqual([]);
    });

    it('tells all faults at once', async () => {
      const { id } = await queues.waiting();
      const response = await queues.call<Faults>('POST', id, '', {
        body: { role: 'x', content: [{ type: 'text', text: 'x', extra: 1 }] },
      });
      expect(response.status).toBe(400);
      expect(response.body.detail.map(({ loc }) => loc.slice(0, 2))).toEqual(
        expect.arrayContaining([
          ['body', 'role'],
          ['body', 'content'],
        ]),
      );
    });

    it('that is no JSON', async () => {
      const { id } = await queues.waiting();
      const response = await queues.call<Faults>('POST', id, '', { raw: '{"content": [' });
      expect(response.status).toBe(400);
      expect(response.body.detail).toEqual([expect.objectContaining({ type: 'json_invalid' })]);
    });
  });

  it('looks at the credential, then at the body, then at the conversation, then at its queue', async () => {
    const stranger = await makeCaller(service.app.db, service.owner.orgId, 'admin');
    const { id } = await queues.waiting();
    await queues.queued(id, numbers(10));
    const path = `/api/v1/conversations/${id}/pending-messages`;
    const nobody = await call(service.app, 'POST', path, { raw: 'nonsense' });
    expect([nobody.status, 'www-authenticate' in nobody.headers]).toEqual([401, true]);
    const { key } = stranger;
    expect((await queues.call('POST', id, '', { body: {}, key })).status).toBe(400);
    expectError(await queues.post(id, 'x', { key }), 404, 'conversation_not_found');
    expectError(await queues.post(id, 'x'), 429, 'too_many_pending_messages');
  });

  it("is 404 for another's conversation and start task, whoever asks", async () => {
    const { orgId } = service.owner;
    const member = await makeCaller(service.app.db, orgId);
    const startingId = randomUUID();
    queues.doubled.holdStart(startingId);
    const task = await service.begin({ conversation_id: startingId }, { key: member.key });
    const theirs = await queues.waiting(member);
    for (const id of [theirs.id, hex(theirs.id), task.id, `task-${hex(task.id)}`]) {
      expectError(await queues.post(id, 'x'), 404, 'conversation_not_found');
      expect((await queues.post(id, 'x', { key: member.key })).status).toBe(200);
    }
  });

  it('is 404 with a key or a selection of another organization, and 400 for a selection that is no id', async () => {
    const { id } = await queues.waiting();
    const other = await makeOrg(service.app.db);
    const bound = await makeKey(service.app.db, service.owner.userId, { orgId: other.id });
    expectError(await queues.post(id, 'x', { key: bound.key }), 404, 'conversation_not_found');
    const selecting = (value: string) => queues.post(id, 'x', { headers: { 'X-Org-Id': value } });
    expectError(await selecting(other.id), 404, 'conversation_not_found');
    expectError(await selecting('nonsense'), 400, 'organization_selector_invalid');
    expect((await selecting(service.owner.orgId)).status).toBe(200);
  });

  describe('for a conversation that can never run again', () => {
    it('whose start failed, is 409 that says why, and what waited has failed for that reason', async () => {
      const id = randomUUID();
      double.fail(
        { kind: 'status', status: 422, stored: false, detail: 'No such thing' },
        startOf(id),
        Infinity,
      );
      const task = await service.begin({ conversation_id: id, initial_message: saying('never') });
      await service.ended(task.id);
      const refused = await queues.post(task.id, 'too late');
      expectError(refused, 409, 'conversation_cannot_run');
      expect(refused.body.detail).toContain('No such thing');
      expect(await queues.list(task.id)).toEqual([
        expect.objectContaining({
          state: 'failed',
          position: null,
          last_error: expect.stringContaining('The conversation did not start') as string,
        }),
      ]);
    });

    it('whose sandbox is gone, is 409, and what waited has failed', async () => {
      const conversation = await queues.waiting();
      await queues.queued(conversation.id, ['never']);
      const path = `/api/v1/sandboxes/${conversation.sandboxId}`;
      expect((await service.call('DELETE', path)).status).toBe(200);
      await eventually(async () =>
        expect(await queues.list(conversation.id)).toEqual([
          expect.objectContaining({
            state: 'failed',
            last_error: 'The sandbox of the conversation is gone.',
          }),
        ]),
      );
      expectError(await queues.post(conversation.id, 'too late'), 409, 'conversation_cannot_run');
    });

    it('that was deleted, is 404, and what waited is listed as failed', async () => {
      const { id } = await queues.waiting();
      await queues.queued(id, ['never']);
      expect((await service.call('DELETE', `/api/v1/app-conversations/${id}`)).status).toBe(200);
      expectError(await queues.post(id, 'too late'), 404, 'conversation_not_found');
      expect(await queues.list(id)).toEqual([
        expect.objectContaining({ state: 'failed', last_error: 'The conversation was deleted.' }),
      ]);
    });

    it('because its sender has left the organization, fails what waited and delivers nothing of it', async () => {
      const member = await makeCaller(service.app.db, service.owner.orgId);
      const theirs = await queues.waiting(member);
      await queues.post(theirs.id, 'left behind', { key: member.key });
      const path = `/api/organizations/${service.owner.orgId}/members/${member.userId}`;
      expect((await service.call('DELETE', path)).status).toBe(200);
      expectError(await queues.post(theirs.id, 'x', { key: member.key }), 404, 'conversation_not_found');
      await eventually(async () => {
        const [row] = await service.app.db.query<{ state: string; last_error: string }[]>(
          `SELECT m.state, m.last_error FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id
            WHERE q.conversation_id = $1`,
          [theirs.id],
        );
        expect(row).toEqual({
          state: 'failed',
          last_error: 'The sender is no member of the organization any more.',
        });
      });
      expect(double.messages(theirs.id)).toEqual([]);
    });
  });

  describe('for a conversation that does not exist yet', () => {
    it('keeps a queue under the id, which the conversation gets after its initial message', async () => {
      const id = randomUUID();
      expect((await queues.post<Receipt>(hex(id).toUpperCase(), 'one')).body).toMatchObject({ position: 1 });
      expect((await queues.post<Receipt>(id, 'two')).body).toMatchObject({ position: 2 });
      expect(await queues.texts(hex(id))).toEqual(['one', 'two']);
      const task: StartTask = await service.begin({
        conversation_id: id,
        initial_message: saying('initial'),
      });
      expect((await service.ended(task.id)).status).toBe('READY');
      await queues.queued(task.id, ['three']);
      await queues.arrived(id, ['initial', 'one', 'two', 'three']);
    });

    it('takes any text of up to 128 characters for an id', async () => {
      const id = `a b/c?d ${'é'.repeat(120)}`;
      expect((await queues.post<Receipt>(id, 'x')).status).toBe(200);
      expect(await queues.texts(id)).toEqual(['x']);
      expectError(await queues.post(`${id}1`, 'x'), 400, 'conversation_id_too_long');
    });

    it('is one of the caller alone', async () => {
      const other = await makeCaller(service.app.db, service.owner.orgId);
      const id = randomUUID();
      await queues.queued(id, ['mine']);
      await queues.post(id, 'theirs', { key: other.key });
      expect(await queues.texts(id)).toEqual(['mine']);
      expect(await queues.list(id, '', { key: other.key })).toHaveLength(1);
    });

    it('is 429 with Retry-After beyond fifty, until one of them is started', async () => {
      const { key } = await makeCaller(service.app.db, service.owner.orgId);
      const ids = Array.from({ length: 50 }, () => randomUUID());
      for (const id of ids) expect((await queues.post(id, 'x', { key })).status).toBe(200);
      const refused = await queues.post('one more', 'x', { key });
      expectError(refused, 429, 'too_many_early_queues');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await queues.post(ids[7] ?? '', 'another', { key })).status).toBe(200);
      const [started = ''] = ids;
      queues.doubled.holdStart(started);
      await service.begin({ conversation_id: started }, { key });
      expect((await queues.post('one more', 'x', { key })).status).toBe(200);
    });

    it('fails after 24 hours, visibly, and not before', async () => {
      await queues.queued('tomorrow', ['never started']);
      const age = async (hours: number): Promise<void> => {
        await service.app.db.query(
          `UPDATE message_queues SET created_at = now() - $1 * interval '1 hour' WHERE early_key = 'tomorrow'`,
          [hours],
        );
        await queues.cleanUp();
      };
      await age(23.9);
      expect(await queues.list('tomorrow')).toEqual([expect.objectContaining({ state: 'queued' })]);
      await age(24.1);
      await eventually(async () =>
        expect(await queues.list('tomorrow')).toEqual([
          expect.objectContaining({
            state: 'failed',
            position: null,
            last_error: 'No conversation with this id was started within 24 hours.',
          }),
        ]),
      );
    });
  });
});
