import { randomUUID } from 'node:crypto';
import { AgentRuns } from '../../../src/conversations/conversations/agent-messages/agent-runs';
import { EventRepository } from '../../../src/conversations/events/storage/event.repository';
import { AgentServerClient } from '../../../src/sandboxes/agent-server';
import { callAbout, interruptOf, lookAt, sendTo } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { reply, ScriptedModel } from '../../support/model/scripted-model';
import { saying } from '../../support/queue/queued-messages';
import { ConversationService } from '../../support/service/conversation-service';
import { makeCaller, type TestCaller } from '../../support/service/factories';
import { freePort } from '../../support/service/free-port';
import type { ErrorBody, HttpResponse } from '../../support/service/http';

const REASON = 'It works on the wrong repository.';
const A_STRING: unknown = expect.any(String);

interface Stopped {
  readonly stopped: boolean;
  readonly failed_messages: number;
}

type Look = Awaited<ReturnType<AgentServerClient['getConversation']>>;

interface Listed {
  readonly items: readonly {
    readonly id: string;
    readonly state: string;
    readonly last_error: string | null;
  }[];
}

const stopPath = (orgId: string, id: string): string =>
  `/api/organizations/${orgId}/conversations/${id}/stop`;
const queuePath = (id: string): string => `/api/v1/conversations/${id}/pending-messages`;

describe('POST /api/organizations/{org_id}/conversations/{conversation_id}/stop', () => {
  let doubled: DoubledService;
  let member: TestCaller;
  let admin: TestCaller;
  beforeAll(async () => {
    doubled = await DoubledService.start({ SEND_TIMEOUT_SECONDS: '2', DELIVERY_SETTLE_SECONDS: '0.5' });
    const { app, owner } = doubled.service;
    member = await makeCaller(app.db, owner.orgId);
    admin = await makeCaller(app.db, owner.orgId, 'admin');
  });
  beforeEach(() => doubled.double.heal());
  afterAll(() => doubled.close());

  const stop = (
    id: string,
    body: unknown = { reason: REASON },
    by = admin,
  ): Promise<HttpResponse<Stopped & ErrorBody>> =>
    doubled.service.call('POST', stopPath(admin.orgId, id), { key: by.key, body });
  const ofMember = async (fields: Parameters<DoubledService['conversation']>[0] = {}): Promise<string> =>
    (await doubled.conversation({ owner: member, ...fields })).id;
  const queue = async (id: string, words: string): Promise<string> => {
    const { status, body } = await doubled.service.call<{ id: string }>('POST', queuePath(id), {
      key: member.key,
      body: saying(words),
    });
    expect(status).toBe(200);
    return body.id;
  };
  const queued = async (id: string): Promise<Listed['items']> =>
    (await doubled.service.call<Listed>('GET', queuePath(id), { key: member.key })).body.items;
  const told = (id: string): Promise<{ kind: string; detail?: string }[]> =>
    doubled.service.app.db
      .query<{ payload: string }[]>('SELECT payload FROM events WHERE conversation_id = $1 ORDER BY seq', [
        id,
      ])
      .then((rows) => rows.map(({ payload }) => JSON.parse(payload) as { kind: string; detail?: string }));
  const client = (): AgentServerClient => doubled.service.app.app.get(AgentServerClient, { strict: false });
  const setStatus = (id: string, status: string): Promise<unknown> =>
    doubled.service.app.db.query(
      'UPDATE sandboxes SET status = $2 WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)',
      [id, status],
    );
  const published = (id: string): Promise<{ event: object }[]> =>
    doubled.service.app.db.query(
      `SELECT event FROM domain_events WHERE conversation_id = $1 AND kind = 'conversation.stopped' ORDER BY id`,
      [id],
    );

  it('says of a conversation that rests that there was nothing to stop, however often, and records nothing', async () => {
    const running = await ofMember();
    for (const id of [
      running,
      await ofMember({ sandbox: { status: 'PAUSED' } }),
      await ofMember({ sandbox: { status: 'MISSING' } }),
      await ofMember({ sandbox_id: randomUUID() }),
      await ofMember({ start_state: 'failed' }),
      await ofMember({ start_state: 'starting' }),
    ])
      for (let time = 1; time <= 2; time++) {
        expect(await stop(id)).toMatchObject({ status: 200, body: { stopped: false, failed_messages: 0 } });
        expect(await published(id)).toEqual([]);
        // An agent server that says that its agent rests is not believed.
        expect(doubled.double.arrived(interruptOf(id))).toHaveLength(id === running ? time : 0);
      }
  });

  it('says so, too, of a conversation that its agent server does not know', async () => {
    const id = await ofMember();
    doubled.double.fail({ kind: 'status', status: 404, stored: false }, callAbout(id), Infinity);
    expect(await stop(id)).toMatchObject({ status: 200, body: { stopped: false, failed_messages: 0 } });
    expect(await published(id)).toEqual([]);
  });

  it.each([
    ['no body', undefined],
    ['no reason', {}],
    ['a reason of white space', { reason: ' \n\t ' }],
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }],
    ['a reason that is no text', { reason: 7 }],
  ])('is a 422 with %s', async (_, body) => {
    const id = await ofMember();
    expect((await stop(id, body ?? null)).status).toBe(422);
  });

  it('takes a reason of 500 characters', async () => {
    expect((await stop(await ofMember(), { reason: `  ${'x'.repeat(500)}  ` })).status).toBe(200);
  });

  it('is for admins and owners, also of conversations of their own', async () => {
    const id = await ofMember();
    expect(await stop(id, { reason: REASON }, member)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });
    expect((await stop(id, { reason: REASON }, doubled.service.owner)).status).toBe(200);
  });

  it('is a 404 for a conversation of another organization, an unknown one, and what is no id', async () => {
    const { app } = doubled.service;
    const [{ id: other }] = await app.db.query<[{ id: string }]>(
      `INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), 'other') RETURNING id`,
    );
    const stranger = await makeCaller(app.db, other);
    const foreign = (await doubled.conversation({ owner: stranger })).id;
    for (const id of [foreign, randomUUID(), 'nonsense'])
      expect(await stop(id)).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } });
    const into = await doubled.service.call<ErrorBody>('POST', stopPath(other, foreign), {
      key: admin.key,
      body: { reason: REASON },
    });
    expect([into.status, into.body.code]).toEqual([403, 'not_a_member']);
  });

  it('fails what is queued with the reason, keeps its text, and tells why once', async () => {
    const id = await ofMember({ sandbox: { status: 'PAUSED' } });
    const ids = [await queue(id, 'first'), await queue(id, 'second')];
    expect(await stop(id, { reason: ` ${REASON} ` })).toMatchObject({
      status: 200,
      body: { stopped: true, failed_messages: 2 },
    });
    const why = `The conversation was stopped: ${REASON}`;
    expect(await queued(id)).toMatchObject(
      ids.map((message, n) => ({
        id: message,
        state: 'failed',
        last_error: why,
        content: saying(n === 0 ? 'first' : 'second').content,
      })),
    );
    expect(await stop(id)).toMatchObject({ status: 200, body: { stopped: false } });
    const [{ event }] = (await published(id)) as [{ event: { event_id: string } }];
    expect(event).toEqual({
      kind: 'conversation.stopped',
      org_id: admin.orgId,
      conversation_id: id,
      user_id: admin.userId,
      reason: REASON,
      event_id: A_STRING,
    });
    expect(await published(id)).toHaveLength(1);
    await eventually(async () =>
      expect(await told(id)).toMatchObject([
        {
          ...{
            id: event.event_id,
            kind: 'ConversationErrorEvent',
            source: 'environment',
            user_id: admin.userId,
          },
          code: 'conversation_stopped',
          detail: expect.stringContaining(REASON) as unknown,
        },
      ]),
    );
  });

  it('takes the next message of the member', async () => {
    const id = await ofMember({ sandbox: { status: 'PAUSED' } });
    await queue(id, 'first');
    await stop(id);
    const next = await queue(id, 'next');
    expect(await queued(id)).toMatchObject([{ state: 'failed' }, { id: next, state: 'queued' }]);
  });

  it('has a message that is on its way fail where it does not arrive, instead of being tried again', async () => {
    const id = await ofMember();
    doubled.double.fail({ kind: 'hang', stored: false }, sendTo(id));
    await queue(id, 'on its way');
    await eventually(async () => expect(await queued(id)).toMatchObject([{ state: 'delivering' }]));
    expect(await stop(id)).toMatchObject({ status: 200, body: { stopped: true, failed_messages: 0 } });
    await eventually(async () => expect(await queued(id)).toMatchObject([{ state: 'failed' }]), 20_000);
    const [failed] = await queued(id);
    expect(failed?.last_error).toBe('The conversation was stopped before the message arrived.');
    expect(doubled.double.arrived(sendTo(id))).toHaveLength(1);
  });

  it('interrupts again what a message has run again meanwhile, and says so where that does not end', async () => {
    const id = await ofMember();
    const looks = jest.spyOn(client(), 'getConversation');
    const seen = (status: string): Look => ({ id, execution_status: status });
    try {
      looks.mockResolvedValueOnce(seen('running')).mockResolvedValueOnce(seen('running'));
      looks.mockResolvedValueOnce(seen('paused'));
      expect(await stop(id)).toMatchObject({ status: 200, body: { stopped: true } });
      expect(doubled.double.arrived(interruptOf(id))).toHaveLength(2);
      looks.mockResolvedValue(seen('running'));
      expect(await stop(id)).toMatchObject({ status: 409, body: { code: 'agent_runs_again' } });
      expect(doubled.double.arrived(interruptOf(id))).toHaveLength(5);
    } finally {
      looks.mockRestore();
    }
  });

  it('is found among the events by its id', async () => {
    const id = await ofMember({ sandbox: { status: 'PAUSED' } });
    await queue(id, 'first');
    await stop(id);
    await eventually(async () => expect(await told(id)).toHaveLength(1));
    const [{ event }] = (await published(id)) as [{ event: { event_id: string } }];
    const path = `/api/conversations/${id}/events/${event.event_id}`;
    expect(await doubled.service.call('GET', path, { key: member.key })).toMatchObject({
      status: 200,
      body: { id: event.event_id, code: 'conversation_stopped' },
    });
  });

  it('is not taken for what the agent server has in its log', async () => {
    const id = await ofMember({ sandbox: { status: 'PAUSED' } });
    await queue(id, 'first');
    await stop(id);
    await eventually(async () => expect(await told(id)).toHaveLength(1));
    const events = doubled.service.app.app.get(EventRepository, { strict: false });
    expect(await events.lastLogged(id)).toBeNull();
  });

  it('stops an agent that has its message and is about to run', async () => {
    const id = await ofMember();
    doubled.double
      .conversation(id)
      .send({ role: 'user', content: [{ type: 'text', text: 'just stored', cache_prompt: false }] }, false);
    const looks = jest.spyOn(client(), 'getConversation');
    const seen = (status: string): Look => ({ id, execution_status: status });
    try {
      looks.mockResolvedValueOnce(seen('idle')).mockResolvedValueOnce(seen('running'));
      expect(await stop(id)).toMatchObject({ status: 200, body: { stopped: true } });
      expect(doubled.double.arrived(interruptOf(id))).toHaveLength(1);
      expect(await published(id)).toHaveLength(1);
    } finally {
      looks.mockRestore();
    }
  });

  it('waits for a message that is on its way, and stops the agent that it has run', async () => {
    const id = await ofMember();
    let arrive: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (arrive = resolve));
    doubled.double.fail({ kind: 'held', until }, sendTo(id));
    await queue(id, 'on its way');
    await eventually(() => expect(doubled.double.arrived(sendTo(id))).toHaveLength(1));
    const interrupts = (): number => doubled.double.arrived(interruptOf(id)).length;
    const looks = jest.spyOn(client(), 'getConversation');
    let calm = 0;
    looks.mockImplementation(() => {
      const runs = doubled.double.messages(id).length > 0 && interrupts() < 2;
      // It arrives after a look at an agent that was interrupted and rests.
      if (interrupts() === 1 && ++calm === 2) arrive();
      return Promise.resolve({ id, execution_status: runs ? 'running' : 'paused' });
    });
    try {
      expect(await stop(id)).toMatchObject({ status: 200, body: { stopped: true, failed_messages: 0 } });
      expect(interrupts()).toBe(2);
      expect(await queued(id)).toEqual([]);
    } finally {
      arrive();
      looks.mockRestore();
    }
  });

  it.each([
    ['does not answer in time', { kind: 'hang', stored: false }],
    ['fails', { kind: 'status', status: 500, stored: false }],
  ] as const)('fails what is queued, and says why, also where the agent server %s', async (_, fault) => {
    const id = await ofMember();
    doubled.double.fail(fault, lookAt(id), Infinity);
    doubled.double.fail({ kind: 'status', status: 409, stored: false }, sendTo(id), Infinity);
    await queue(id, 'not wanted');
    expect((await stop(id)).status).toBe(503);
    await eventually(async () => expect(await queued(id)).toMatchObject([{ state: 'failed' }]));
    expect(await published(id)).toHaveLength(1);
  });

  it('fails what is queued also where the sandbox is in ERROR', async () => {
    const id = await ofMember({ sandbox: { status: 'PAUSED' } });
    await queue(id, 'not wanted');
    await setStatus(id, 'ERROR');
    expect(await stop(id)).toMatchObject({ status: 503, body: { code: 'sandbox_error' } });
    expect(await queued(id)).toMatchObject([{ state: 'failed' }]);
    expect(await published(id)).toHaveLength(1);
  });

  it('takes its turn from an agent that waits for one, also where it cannot be interrupted', async () => {
    const { id, sandboxId } = await doubled.conversation({ owner: member });
    const runs = doubled.service.app.app.get(AgentRuns, { strict: false });
    await runs.later(doubled.double.target, { conversationId: id, sandboxId });
    doubled.double.fail({ kind: 'status', status: 500, stored: false }, interruptOf(id), Infinity);
    expect((await stop(id)).status).toBe(503);
    expect(await runs.isPlanned(id)).toBe(false);
    expect(await published(id)).toHaveLength(1);
  });

  it('lets no more stops than other calls wait for an agent server that hangs', async () => {
    const id = await ofMember();
    doubled.double.fail({ kind: 'hang', stored: false }, lookAt(id), Infinity);
    const responses = await Promise.all(Array.from({ length: 17 }, () => stop(id)));
    const codes = responses.map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'agent_server_busy')).toHaveLength(1);
    expect(codes.filter((code) => code === 'agent_server_unavailable')).toHaveLength(16);
  });

  it.each([
    ['a sandbox in ERROR', () => ofMember({ sandbox: { status: 'ERROR' } }), 'sandbox_error'],
    [
      'an agent server where nobody listens',
      async () => ofMember({ sandbox: { baseUrl: `http://127.0.0.1:${await freePort()}` } }),
      'agent_server_unavailable',
    ],
  ])('is a 503 for %s', async (_, conversation, code) => {
    const response = await stop(await conversation());
    expect([response.status, response.body.code]).toEqual([503, code]);
  });
});

describe('an agent of a member that is stopped', () => {
  let model: ScriptedModel;
  let service: ConversationService;
  let admin: TestCaller;
  beforeAll(async () => {
    model = await ScriptedModel.start();
    model.when((asked) => asked.lastUserText.includes('hang'), reply.hang(reply.text('Never said.')));
    service = await ConversationService.start({
      LLM_MODEL: 'scripted',
      LLM_BASE_URL: model.baseUrl,
      LLM_API_KEY: 'scripted-model-key',
    });
    admin = await makeCaller(service.app.db, service.owner.orgId, 'admin');
  });
  afterAll(async () => {
    await service.close();
    await model.stop();
  });

  const becomes = (id: string, status: string): Promise<void> =>
    eventually(async () => expect((await service.record(id)).execution_status).toBe(status));

  it('rests, although a message waited for the end of its run, and goes on with the next one', async () => {
    const id = await service.ready({ initial_message: saying('hang') });
    await becomes(id, 'running');
    await eventually(() => expect(model.hanging).toBe(1));
    const after = { ...saying('afterwards'), mode: 'after_run' };
    expect((await service.call('POST', queuePath(id), { body: after })).status).toBe(200);
    const response = await service.call<Stopped>('POST', stopPath(admin.orgId, id), {
      key: admin.key,
      body: { reason: REASON },
    });
    expect(response).toMatchObject({ status: 200, body: { stopped: true, failed_messages: 1 } });
    await eventually(() => expect(model.hanging).toBe(0));
    await becomes(id, 'paused');
    await eventually(async () =>
      expect((await service.events(id)).map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['InterruptEvent', 'ConversationErrorEvent']),
      ),
    );
    expect(await service.texts(id, 'user', 1)).toEqual(['hang']);
    model.when((asked) => asked.lastUserText.includes('go on'), reply.text('I go on.'));
    const path = `/api/v1/app-conversations/${id}/send-message`;
    expect((await service.call('POST', path, { body: saying('go on') })).status).toBe(200);
    await becomes(id, 'finished');
    expect(await service.texts(id, 'user', 2)).toEqual(['hang', 'go on']);
  });
});
