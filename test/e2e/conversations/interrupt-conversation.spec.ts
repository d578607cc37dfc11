import { randomUUID } from 'node:crypto';
import { AgentServerBusyError, AgentServerClient } from '../../../src/sandboxes/agent-server';
import { interruptOf, sendTo } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { reply, ScriptedModel } from '../../support/model/scripted-model';
import { saying } from '../../support/queue/queued-messages';
import { ConversationService } from '../../support/service/conversation-service';
import { makeCaller } from '../../support/service/factories';
import { freePort } from '../../support/service/free-port';
import { call, type ErrorBody, type HttpResponse } from '../../support/service/http';

const pathOf = (id: string): string => `/api/v1/app-conversations/${id}/interrupt`;

describe('POST /api/v1/app-conversations/{conversation_id}/interrupt', () => {
  let doubled: DoubledService;
  beforeAll(async () => (doubled = await DoubledService.start({ SEND_TIMEOUT_SECONDS: '4' })));
  beforeEach(() => doubled.double.heal());
  afterAll(() => doubled.close());

  const interrupt = (id: string, key?: string): Promise<HttpResponse<ErrorBody>> =>
    doubled.service.call<ErrorBody>('POST', pathOf(id), key === undefined ? {} : { key });

  it('has nothing to stop where no agent runs, and says so with a 200', async () => {
    const { id } = await doubled.conversation();
    for (let time = 0; time < 2; time++)
      expect(await interrupt(id)).toMatchObject({ status: 200, body: { success: true } });
  });

  it.each([
    ['an unknown conversation', () => Promise.resolve(randomUUID()), 404, 'conversation_not_found'],
    [
      "another member's conversation, whoever asks",
      async () => {
        const owner = await makeCaller(doubled.service.app.db, doubled.service.owner.orgId);
        return (await doubled.conversation({ owner })).id;
      },
      ...([404, 'conversation_not_found'] as const),
    ],
    [
      'an unknown sandbox',
      async () => (await doubled.conversation({ sandbox_id: randomUUID() })).id,
      ...([404, 'sandbox_not_found'] as const),
    ],
    [
      'a conversation whose start failed',
      async () => (await doubled.conversation({ start_state: 'failed' })).id,
      ...([404, 'conversation_unknown_to_agent_server'] as const),
    ],
    [
      'a sandbox that is paused',
      async () => (await doubled.conversation({ sandbox: { status: 'PAUSED' } })).id,
      ...([409, 'sandbox_not_running'] as const),
    ],
    [
      'a conversation that starts',
      async () => (await doubled.conversation({ start_state: 'starting' })).id,
      ...([409, 'sandbox_not_running'] as const),
    ],
    [
      'a sandbox that is being paused',
      async () => (await doubled.conversation({ sandbox: { status: 'PAUSED', stopping: 'pause' } })).id,
      ...([409, 'sandbox_not_running'] as const),
    ],
    [
      'a sandbox that is MISSING',
      async () => (await doubled.conversation({ sandbox: { status: 'MISSING' } })).id,
      ...([410, 'conversation_archived'] as const),
    ],
    [
      'a sandbox in ERROR',
      async () => (await doubled.conversation({ sandbox: { status: 'ERROR' } })).id,
      ...([503, 'sandbox_error'] as const),
    ],
    [
      'an agent server where nobody listens',
      async () =>
        (await doubled.conversation({ sandbox: { baseUrl: `http://127.0.0.1:${await freePort()}` } })).id,
      ...([503, 'agent_server_unavailable'] as const),
    ],
  ])('is refused for %s', async (_, conversation, status, code) => {
    const response = await interrupt(await conversation());
    expect([response.status, response.body.code]).toEqual([status, code]);
  });

  it('is 401 without a key, and 422 for an id that is no UUID', async () => {
    const { id } = await doubled.conversation();
    expect((await call(doubled.service.app, 'POST', pathOf(id))).status).toBe(401);
    expect((await interrupt('nonsense')).status).toBe(422);
  });

  it.each([
    ['knows no such conversation', { kind: 'status', status: 404, stored: false }, 404],
    ['does not answer in time', { kind: 'hang', stored: false }, 503],
    ['resets the connection', { kind: 'reset', stored: false }, 503],
    ['fails', { kind: 'status', status: 500, stored: false }, 503],
    ['refuses', { kind: 'status', status: 401, stored: false }, 503],
  ] as const)('is an error where the agent server %s', async (_, fault, status) => {
    const { id } = await doubled.conversation();
    doubled.double.fail(fault, interruptOf(id));
    expect((await interrupt(id)).status).toBe(status);
  });

  it('reaches an agent although as many messages wait for it as may', async () => {
    const { id } = await doubled.conversation();
    doubled.double.fail({ kind: 'hang', stored: false }, sendTo(id), 16);
    const path = `/api/v1/app-conversations/${id}/send-message`;
    const sends = Array.from({ length: 16 }, () => doubled.service.call('POST', path, { body: saying('x') }));
    await eventually(() => expect(doubled.double.arrived(sendTo(id))).toHaveLength(16));
    expect((await interrupt(id)).status).toBe(200);
    await Promise.all(sends);
  });

  /** A conversation whose agent is to run as soon as its server lets it. */
  async function waitingForItsTurn(): Promise<string> {
    const { id } = await doubled.conversation();
    const detail = 'Message saved, but as many agents run as may.';
    doubled.double.fail({ kind: 'status', status: 429, stored: false, detail }, sendTo(id));
    const path = `/api/v1/app-conversations/${id}/send-message`;
    expect((await doubled.service.call('POST', path, { body: saying('x') })).status).toBe(200);
    expect(await plannedRuns(id)).toHaveLength(1);
    return id;
  }

  const plannedRuns = (id: string): Promise<unknown[]> =>
    doubled.service.app.db.query<unknown[]>('SELECT 1 FROM graphile_worker.jobs WHERE key = $1', [
      `run:${id}`,
    ]);

  it('stops a run that its server has not begun yet', async () => {
    const id = await waitingForItsTurn();
    expect((await interrupt(id)).status).toBe(200);
    expect(await plannedRuns(id)).toEqual([]);
  });

  it('leaves that run its turn where the agent server does not do it', async () => {
    const id = await waitingForItsTurn();
    doubled.double.fail({ kind: 'status', status: 500, stored: false }, interruptOf(id));
    expect((await interrupt(id)).status).toBe(503);
    expect(await plannedRuns(id)).toHaveLength(1);
  });

  it('stops a run that its server is just putting off once more', async () => {
    const { id } = await doubled.conversation();
    const { app, db } = doubled.service.app;
    let putOff: () => void = () => undefined;
    const isPutOff = new Promise<void>((resolve) => (putOff = resolve));
    const runs = jest
      .spyOn(app.get(AgentServerClient, { strict: false }), 'run')
      .mockImplementation(() => isPutOff.then(() => Promise.reject(new AgentServerBusyError('busy'))));
    try {
      const detail = 'Message saved, but as many agents run as may.';
      doubled.double.fail({ kind: 'status', status: 429, stored: false, detail }, sendTo(id));
      const path = `/api/v1/app-conversations/${id}/send-message`;
      expect((await doubled.service.call('POST', path, { body: saying('x') })).status).toBe(200);
      await eventually(() => expect(runs).toHaveBeenCalledTimes(1));
      expect((await interrupt(id)).status).toBe(200);
      putOff();
      const left = `SELECT 1 FROM graphile_worker._private_jobs WHERE payload ->> 'conversationId' = $1`;
      await eventually(async () => expect(await db.query<unknown[]>(left, [id])).toEqual([]));
      expect(runs).toHaveBeenCalledTimes(1);
    } finally {
      runs.mockRestore();
    }
  });
});

describe('an agent that is interrupted', () => {
  let model: ScriptedModel;
  let service: ConversationService;
  beforeAll(async () => {
    model = await ScriptedModel.start();
    model.when((asked) => asked.lastUserText.includes('hang'), reply.hang(reply.text('Never said.')));
    service = await ConversationService.start({
      LLM_MODEL: 'scripted',
      LLM_BASE_URL: model.baseUrl,
      LLM_API_KEY: 'scripted-model-key',
    });
  });
  afterAll(async () => {
    await service.close();
    await model.stop();
  });

  const becomes = (id: string, status: string): Promise<void> =>
    eventually(async () => expect((await service.record(id)).execution_status).toBe(status));

  it('has stopped when the response comes, its call to the model is over, and it goes on with the next message', async () => {
    const id = await service.ready({ initial_message: saying('hang') });
    await becomes(id, 'running');
    await eventually(() => expect(model.hanging).toBe(1));
    expect(await service.call('POST', pathOf(id))).toMatchObject({ status: 200, body: { success: true } });
    await eventually(() => expect(model.hanging).toBe(0));
    await becomes(id, 'paused');
    await eventually(async () =>
      expect((await service.events(id)).map(({ kind }) => kind)).toContain('InterruptEvent'),
    );
    expect(JSON.stringify(await service.events(id))).not.toContain('Never said.');
    model.when((asked) => asked.lastUserText.includes('go on'), reply.text('I go on.'));
    const path = `/api/v1/app-conversations/${id}/send-message`;
    expect((await service.call('POST', path, { body: saying('go on') })).status).toBe(200);
    await becomes(id, 'finished');
  });

  it('takes the message that waited for the end of its run, and not the run before it', async () => {
    const id = await service.ready({ initial_message: saying('hang') });
    await becomes(id, 'running');
    model.when((asked) => asked.lastUserText.includes('afterwards'), reply.text('Afterwards it is.'));
    const path = `/api/v1/conversations/${id}/pending-messages`;
    const body = { ...saying('afterwards'), mode: 'after_run' };
    expect((await service.call('POST', path, { body })).status).toBe(200);
    const list = await service.call<{ items: unknown[] }>('GET', path);
    expect(list.body.items).toMatchObject([{ state: 'queued', mode: 'after_run', position: 1 }]);
    expect((await service.call('POST', pathOf(id))).status).toBe(200);
    expect(await service.texts(id, 'user', 2)).toEqual(['hang', 'afterwards']);
    await becomes(id, 'finished');
  });
});
