import { setTimeout as sleep } from 'node:timers/promises';
import { sendTo } from '../support/agent-server/agent-server-calls';
import { eventually } from '../support/eventually';
import { type HttpResponse, call, type ErrorBody } from '../support/service/http';
import { QueueCalls, saying } from '../support/queue/queued-messages';
import { StoppablePostgres } from '../support/database/stoppable-postgres';

describe('a service whose PostgreSQL goes away', () => {
  let postgres: StoppablePostgres;
  let queues: QueueCalls;

  beforeAll(async () => {
    postgres = await StoppablePostgres.make();
    queues = await QueueCalls.start(
      { DELIVERY_SETTLE_SECONDS: '0.5', SEND_TIMEOUT_SECONDS: '2' },
      // What the service does not hear of for so long is away: scaled down, to what no busy machine takes.
      { url: `${postgres.url}?query_timeout=5000`, drop: () => postgres.remove() },
    );
  });
  afterAll(async () => {
    await queues.close();
    await postgres.remove();
  });

  /** One call of each operation of a queue, and of others. */
  function calls(id: string, messageId: string): Record<string, () => Promise<HttpResponse<ErrorBody>>> {
    const { service } = queues.doubled;
    const to = (method: string, path: string, body?: unknown) => (): Promise<HttpResponse<ErrorBody>> =>
      service.call(method, path, body === undefined ? {} : { body });
    const queue = `/api/v1/conversations/${id}/pending-messages`;
    return {
      'queue a message': to('POST', queue, saying('x')),
      'list the queue': to('GET', queue),
      'edit a message': to('PATCH', `${queue}/${messageId}`, saying('x')),
      'reorder the queue': to('PUT', `${queue}/order`, { ids: [messageId] }),
      'cancel a message': to('DELETE', `${queue}/${messageId}`),
      'send a message': to('POST', `/api/v1/app-conversations/${id}/send-message`, saying('x')),
      'start a conversation': to('POST', '/api/v1/app-conversations', {}),
      'read a conversation': to('GET', `/api/v1/app-conversations?ids=${id}`),
      'read the settings': to('GET', '/api/organizations/app'),
      'list keys': to('GET', '/api/keys'),
      'list sandboxes': to('GET', '/api/v1/sandboxes/search'),
    };
  }

  async function expectAway(id: string, messageId: string): Promise<void> {
    const responses = await Promise.all(
      Object.entries(calls(id, messageId)).map(async ([name, made]) => {
        const { status, body, headers } = await made();
        return [name, status, body.code, Number(headers['retry-after']) > 0];
      }),
    );
    expect(responses).toEqual(responses.map(([name]) => [name, 503, 'database_unavailable', true]));
    expect((await call(queues.doubled.service.app, 'GET', '/alive')).status).toBe(200);
  }

  /** Every call but those that change the message, which is delivered meanwhile. */
  async function expectBack(id: string): Promise<void> {
    const { 'list the queue': list, 'list keys': keys, 'send a message': send } = calls(id, '');
    for (const made of [list, keys, send])
      await eventually(async () => expect((await made?.())?.status).toBe(200));
  }

  it('answers 503 with Retry-After while it is stopped, and goes on without a restart when it is back', async () => {
    const { double } = queues.doubled;
    const paused = await queues.waiting();
    const [messageId = ''] = await queues.queued(paused.id, ['before']);
    const running = await queues.doubled.conversation();
    double.fail({ kind: 'status', status: 409, stored: false }, sendTo(running.id), Infinity);
    await queues.queued(running.id, ['one', 'two']);
    await postgres.stop();
    try {
      await expectAway(paused.id, messageId);
      // Longer than a lease.
      await sleep(2_500);
      await expectAway(paused.id, messageId);
    } finally {
      await postgres.start();
    }
    double.heal();
    await expectBack(running.id);
    await eventually(async () =>
      expect(await queues.texts(running.id, '?state=delivered')).toEqual(['one', 'two']),
    );
    await queues.queued(running.id, ['three']);
    const texts = (): string[] => double.messages(running.id).map(({ text }) => text);
    await eventually(() => expect(texts().filter((text) => text !== 'x')).toEqual(['one', 'two', 'three']));
    expect(await queues.texts(paused.id)).toEqual(['before']);
  });

  it('answers 503 with Retry-After while it does not answer, and goes on when it does', async () => {
    const paused = await queues.waiting();
    const [messageId = ''] = await queues.queued(paused.id, ['before']);
    const running = await queues.doubled.conversation();
    await postgres.signal('SIGSTOP');
    try {
      await expectAway(paused.id, messageId);
    } finally {
      await postgres.signal('SIGCONT');
    }
    await expectBack(running.id);
    await queues.queued(running.id, ['after']);
    await eventually(async () =>
      expect(await queues.texts(running.id, '?state=delivered')).toEqual(['after']),
    );
  });
});
