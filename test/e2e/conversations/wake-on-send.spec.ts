import { randomUUID } from 'node:crypto';
import { SendTargets } from '../../../src/conversations/conversations/send-message/send-message.service';
import { eventually } from '../../support/eventually';
import { QueueCalls, saying } from '../../support/queue/queued-messages';
import { makeCaller } from '../../support/service/factories';
import type { CallOptions, ErrorBody, HttpResponse } from '../../support/service/http';

interface QueuedSend {
  readonly id: string;
  readonly position: number;
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `message ${i}`);

describe('POST /api/v1/app-conversations/{conversation_id}/send-message?wait=resume', () => {
  let queues: QueueCalls;
  beforeAll(
    async () => (queues = await QueueCalls.start({ MAX_SANDBOXES: '1000', MAX_SANDBOXES_PER_ORG: '1000' })),
  );
  beforeEach(() => {
    queues.doubled.double.heal();
    queues.doubled.double.calls.length = 0;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => queues.close());

  function send<Body = ErrorBody>(
    id: string,
    text = 'Hello',
    options: CallOptions = {},
    query = '?wait=resume',
  ): Promise<HttpResponse<Body>> {
    const path = `/api/v1/app-conversations/${id}/send-message${query}`;
    return queues.doubled.service.call<Body>('POST', path, { body: saying(text), ...options });
  }

  async function expectError(response: Promise<HttpResponse<ErrorBody>>, status: number, code: string) {
    const { body, ...rest } = await response;
    expect({ status: rest.status, code: body.code }).toEqual({ status, code });
    return { body, ...rest };
  }

  async function sandboxStatus(sandboxId: string): Promise<string> {
    const [row] = await queues.doubled.service.app.db.query<[{ status: string }]>(
      'SELECT status FROM sandboxes WHERE id = $1',
      [sandboxId],
    );
    return row.status;
  }

  const setSandbox = (sandboxId: string, set: string): Promise<unknown> =>
    queues.doubled.service.app.db.query(`UPDATE sandboxes SET ${set} WHERE id = $1`, [sandboxId]);

  it('queues the message, resumes the sandbox, and answers 202 with the queued message, which then arrives', async () => {
    const { id, sandboxId } = await queues.waiting();
    const { status, body } = await send<QueuedSend>(id);
    expect([status, body]).toEqual([
      202,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        queued: true,
        state: 'queued',
        position: 1,
        mode: 'steer',
        sandbox_status: 'STARTING',
      },
    ]);
    await queues.arrived(id, ['Hello']);
    expect(await sandboxStatus(sandboxId)).toBe('RUNNING');
    const delivered = { id: body.id, mode: 'steer', content: saying('Hello').content };
    await eventually(async () =>
      expect(await queues.list(id, '?state=delivered')).toMatchObject([delivered]),
    );
    const sent = queues.doubled.double.calls.find(({ path }) => path.endsWith(`${id}/events`));
    expect(JSON.parse(sent?.body ?? '')).toEqual({ role: 'user', ...saying('Hello'), run: true });
  });

  it('without the parameter answers 409, queues nothing and leaves the sandbox paused', async () => {
    const { id, sandboxId } = await queues.waiting();
    await expectError(send(id, 'Hello', {}, ''), 409, 'sandbox_not_running');
    expect(await queues.list(id)).toEqual([]);
    expect(await sandboxStatus(sandboxId)).toBe('PAUSED');
  });

  it('is 422 with any other value', async () => {
    const { id } = await queues.waiting();
    for (const query of ['?wait=', '?wait=true', '?wait=RESUME'])
      expect((await send(id, 'Hello', {}, query)).status).toBe(422);
    expect(await queues.list(id)).toEqual([]);
  });

  it('is 400 with run: false, whatever the sandbox does, and sends nothing', async () => {
    for (const { id, sandboxId } of [await queues.waiting(), await queues.doubled.conversation()]) {
      const before = await sandboxStatus(sandboxId);
      const body = { ...saying('Hello'), run: false };
      await expectError(send(id, '', { body }), 400, 'run_required_to_wake');
      expect([await sandboxStatus(sandboxId), await queues.list(id)]).toEqual([before, []]);
      expect(queues.doubled.double.messages(id)).toEqual([]);
    }
  });

  it('sends at once to a sandbox that runs, and answers as without the parameter', async () => {
    const { id } = await queues.doubled.conversation();
    const { status, body } = await send<unknown>(id);
    expect([status, body]).toEqual([200, { success: true, sandbox_status: 'RUNNING' }]);
    expect(queues.doubled.double.messages(id).map(({ text }) => text)).toEqual(['Hello']);
  });

  it('queues behind messages that still wait, so that it does not overtake them', async () => {
    const conversation = await queues.delivering();
    const { status, body } = await send<QueuedSend>(conversation.id, 'second');
    expect([status, body]).toMatchObject([202, { position: 2, sandbox_status: 'RUNNING' }]);
    queues.doubled.double.heal();
  });

  it('queues for a sandbox that starts or is being paused, and for a conversation that starts', async () => {
    const starting = await queues.doubled.conversation({ sandbox: { status: 'STARTING', isClaimed: true } });
    const pausing = await queues.doubled.conversation({ sandbox: { status: 'PAUSED', stopping: 'pause' } });
    const notReady = await queues.doubled.conversation({ start_state: 'starting' });
    for (const { id } of [starting, pausing, notReady])
      expect([
        (await send<QueuedSend>(id)).status,
        (await queues.list(id, '?state=queued,delivering,delivered')).length,
      ]).toEqual([202, 1]);
    await queues.arrived(pausing.id, ['Hello']);
    expect(queues.doubled.double.messages(notReady.id)).toEqual([]);
  });

  it.each([
    ['unknown conversations', () => Promise.resolve(randomUUID()), 404, 'conversation_not_found'],
    [
      "another member's conversation",
      async () => {
        const owner = await makeCaller(queues.doubled.service.app.db, queues.doubled.service.owner.orgId);
        return (await queues.waiting(owner)).id;
      },
      ...([404, 'conversation_not_found'] as const),
    ],
    [
      'an unknown sandbox',
      async () => (await queues.doubled.conversation({ sandbox_id: randomUUID() })).id,
      ...([404, 'sandbox_not_found'] as const),
    ],
    [
      'a sandbox that is MISSING',
      async () => (await queues.doubled.conversation({ sandbox: { status: 'MISSING' } })).id,
      ...([410, 'conversation_archived'] as const),
    ],
    [
      'a sandbox in ERROR',
      async () => (await queues.doubled.conversation({ sandbox: { status: 'ERROR' } })).id,
      ...([503, 'sandbox_error'] as const),
    ],
    [
      'a sandbox that is being deleted',
      async () =>
        (
          await queues.doubled.conversation({
            sandbox: { status: 'PAUSED', stopping: 'delete', isClaimed: true },
          })
        ).id,
      ...([409, 'sandbox_not_running'] as const),
    ],
    [
      'a conversation whose start failed',
      async () =>
        (await queues.doubled.conversation({ start_state: 'failed', sandbox: { status: 'PAUSED' } })).id,
      ...([404, 'conversation_unknown_to_agent_server'] as const),
    ],
  ])(
    'is refused as without the parameter for %s, and queues nothing',
    async (_, conversation, status, code) => {
      const id = await conversation();
      await expectError(send(id), status, code);
      const [{ count }] = await queues.doubled.service.app.db.query<[{ count: string }]>(
        `SELECT count(*) FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id
        WHERE q.conversation_id = $1`,
        [id],
      );
      expect(Number(count)).toBe(0);
    },
  );

  it('is 429 for the eleventh message that waits, and then does not resume the sandbox', async () => {
    const { id, sandboxId } = await queues.waiting();
    await queues.queued(id, numbers(10));
    const { headers } = await expectError(send(id), 429, 'too_many_pending_messages');
    expect(headers['retry-after']).toBe('5');
    expect(await sandboxStatus(sandboxId)).toBe('PAUSED');
    expect(await queues.texts(id)).toEqual(numbers(10));
  });

  it('is 503 while what runs the sandbox does not answer, and neither queues the message nor resumes it', async () => {
    const { id, sandboxId } = await queues.waiting();
    await queues.doubled.double.refuse();
    try {
      await expectError(send(id), 503, 'sandbox_driver_unavailable');
    } finally {
      await queues.doubled.double.accept();
    }
    expect([await sandboxStatus(sandboxId), await queues.list(id)]).toEqual(['PAUSED', []]);
  });

  it('is sent once for an Idempotency-Key, whose repetition is answered 202 too', async () => {
    const conversation = await queues.waiting();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await send<QueuedSend>(conversation.id, 'once', { headers });
    const again = await send<QueuedSend>(conversation.id, 'once', { headers });
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([202, 202, 'true']);
    expect(again.body).toEqual(first.body);
    await queues.arrived(conversation.id, ['once']);
  });

  it('queues when the sandbox is paused between the look at it and the sending', async () => {
    const { id, sandboxId } = await queues.doubled.conversation();
    const targets = queues.doubled.service.app.app.get(SendTargets);
    const find = targets.find.bind(targets);
    jest.spyOn(targets, 'find').mockImplementationOnce(async (conversationId) => {
      const target = await find(conversationId);
      await setSandbox(sandboxId, `status = 'PAUSED'`);
      return target;
    });
    expect((await send<QueuedSend>(id)).status).toBe(202);
    await queues.arrived(id, ['Hello']);
  });

  it('resumes once for ten messages at once, which all arrive', async () => {
    const { id } = await queues.waiting();
    const responses = await Promise.all(numbers(10).map((text) => send<QueuedSend>(id, text)));
    expect(responses.filter(({ status }) => status !== 202 && status !== 200)).toEqual([]);
    await eventually(() => {
      const arrived = queues.doubled.double.messages(id).map(({ text }) => text);
      expect(arrived.sort()).toEqual(numbers(10));
    });
    expect(responses.some(({ status }) => status === 202)).toBe(true);
  });

  it('leaves no message behind that nobody delivers, however pauses and sends meet, 20 times', async () => {
    const { id, sandboxId } = await queues.waiting();
    const { service } = queues.doubled;
    for (let round = 0; round < 20; round++) {
      const [pause, sent] = await Promise.all([
        service.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`),
        send<QueuedSend>(id, `round ${round}`),
      ]);
      expect([pause.status, [200, 202, 503]]).toEqual([200, expect.arrayContaining([sent.status])]);
      // The pause that came last holds it back until somebody resumes the sandbox.
      await queues.resume({ sandboxId });
      await eventually(async () => expect(await queues.list(id)).toEqual([]));
    }
  });

  describe('at the caps on sandboxes', () => {
    let full: QueueCalls;
    beforeAll(async () => (full = await QueueCalls.start({ MAX_SANDBOXES_PER_ORG: '1' })));
    afterAll(() => full.close());

    const wake = (id: string): Promise<HttpResponse<ErrorBody>> =>
      full.doubled.service.call<ErrorBody>(
        'POST',
        `/api/v1/app-conversations/${id}/send-message?wait=resume`,
        {
          body: saying('x'),
        },
      );

    it('wakes one of two sandboxes at once, where one more may run', async () => {
      const waiting = [await full.waiting(), await full.waiting()];
      const responses = await Promise.all(waiting.map(({ id }) => wake(id)));
      expect(responses.map(({ status }) => status).sort()).toEqual([202, 429]);
      const queued = await Promise.all(
        waiting.map(({ id }) => full.list(id, '?state=queued,delivering,delivered')),
      );
      expect(queued.map(({ length }) => length)).toEqual(
        responses.map(({ status }) => (status === 202 ? 1 : 0)),
      );
    });

    it('is 429, and neither queues the message nor resumes the sandbox', async () => {
      await full.doubled.conversation();
      const { id, sandboxId } = await full.waiting();
      const { status, body } = await wake(id);
      expect([status, body.code]).toEqual([429, 'concurrency_limit_reached']);
      expect(await full.list(id)).toEqual([]);
      const [row] = await full.doubled.service.app.db.query<[{ status: string }]>(
        'SELECT status FROM sandboxes WHERE id = $1',
        [sandboxId],
      );
      expect(row.status).toBe('PAUSED');
    });
  });
});
