import { randomUUID } from 'node:crypto';
import { SendTargets } from '../../../src/conversations/conversations/send-message/send-message.service';
import { sendTo } from '../../support/agent-server/agent-server-calls';
import type { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import type { ConversationService } from '../../support/service/conversation-service';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeKey, makeOrg } from '../../support/service/factories';
import { freePort } from '../../support/service/free-port';
import type { HttpResponse, CallOptions, ErrorBody } from '../../support/service/http';

const MESSAGE = { content: [{ type: 'text', text: 'Hello' }] };

describe('POST /api/v1/app-conversations/{conversation_id}/send-message', () => {
  let doubled: DoubledService;
  let service: ConversationService;
  let double: AgentServerDouble;

  beforeAll(async () => {
    doubled = await DoubledService.start({ SEND_TIMEOUT_SECONDS: '5' });
    ({ service, double } = doubled);
  });

  beforeEach(() => double.heal());

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => doubled.close());

  function send<Body = ErrorBody>(id: string, options: CallOptions = {}): Promise<HttpResponse<Body>> {
    return service.call<Body>('POST', `/api/v1/app-conversations/${id}/send-message`, {
      body: MESSAGE,
      ...options,
    });
  }

  function sent(id: string): string[] {
    return double.arrived(sendTo(id)).map(({ body }) => body);
  }

  async function expectError(
    response: Promise<HttpResponse<ErrorBody>>,
    status: number,
    code: string,
  ): Promise<HttpResponse<ErrorBody>> {
    const { body, ...rest } = await response;
    expect({ status: rest.status, code: body.code }).toEqual({ status, code });
    return { body, ...rest };
  }

  it('hands the message over and answers the status of the sandbox', async () => {
    const { id } = await doubled.conversation();
    const { status, body } = await send(id);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, sandbox_status: 'RUNNING' } });
    expect(double.messages(id).map(({ text }) => text)).toEqual(['Hello']);
  });

  it('sends role user and run true unless the request says otherwise', async () => {
    const { id } = await doubled.conversation();
    await send(id);
    await send(id, { body: { ...MESSAGE, role: 'user', run: false } });
    expect(sent(id).map((body) => JSON.parse(body) as unknown)).toEqual([
      { role: 'user', content: MESSAGE.content, run: true },
      { role: 'user', content: MESSAGE.content, run: false },
    ]);
  });

  it('forwards the content byte for byte', async () => {
    const { id } = await doubled.conversation();
    const content =
      '[ {"type":"text", "text":"caf\\u00e9 \\ud83d\\ude00 \\u0000 é", "cache_prompt":true},\n' +
      '  {"image_urls":["data:image/png;base64,AA=="],"type":"image"} ]';
    const { status } = await send(id, { raw: `{"run":false,"content":${content}}` });
    expect(status).toBe(200);
    expect(sent(id)).toEqual([`{"role":"user","content":${content},"run":false}`]);
  });

  it('takes messages that come at once, each to the conversation that it names', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await doubled.conversation()).id));
    const named = [...ids, randomUUID(), ...ids];
    const responses = await Promise.all(
      named.map((id, n) => send(id, { body: { content: [{ type: 'text', text: `${n}` }] } })),
    );
    expect(responses.map(({ status }) => status)).toEqual(named.map((id) => (ids.includes(id) ? 200 : 404)));
    for (const [n, id] of ids.entries())
      expect(new Set(double.messages(id).map(({ text }) => text))).toEqual(new Set([`${n}`, `${n + 7}`]));
  });

  it('takes a conversation id in any spelling', async () => {
    const { id } = await doubled.conversation();
    expect((await send(id.replaceAll('-', '').toUpperCase())).status).toBe(200);
    expect(double.messages(id)).toHaveLength(1);
  });

  it.each([
    ['no content', {}],
    ['an empty list', { content: [] }],
    ['a text block with an unknown key', { content: [{ type: 'text', text: 'x', extra: 1 }] }],
    ['another role', { ...MESSAGE, role: 'system' }],
  ])('is 422 with %s, and sends nothing', async (_, body) => {
    const { id } = await doubled.conversation();
    expect((await send(id, { body })).status).toBe(422);
    expect(sent(id)).toEqual([]);
  });

  it('is 422 for an id that is no UUID', async () => {
    expect((await send('nonsense')).status).toBe(422);
  });

  describe('is 404', () => {
    it('for an unknown conversation', async () => {
      await expectError(send(randomUUID()), 404, 'conversation_not_found');
    });

    it('for a deleted one', async () => {
      const { id } = await doubled.conversation({ deleted_at: new Date() });
      await expectError(send(id), 404, 'conversation_not_found');
    });

    it("for another member's, whoever asks", async () => {
      const { orgId } = service.owner;
      const member = await makeCaller(service.app.db, orgId);
      const { id } = await doubled.conversation({ owner: member });
      await expectError(send(id), 404, 'conversation_not_found');
      expect(sent(id)).toEqual([]);
    });

    it('with a key bound to another organization, or another one selected', async () => {
      const { id } = await doubled.conversation();
      const other = await makeOrg(service.app.db);
      const bound = await makeKey(service.app.db, service.owner.userId, { orgId: other.id });
      await expectError(send(id, { key: bound.key }), 404, 'conversation_not_found');
      await expectError(send(id, { headers: { 'X-Org-Id': other.id } }), 404, 'conversation_not_found');
      expect((await send(id, { headers: { 'X-Org-Id': service.owner.orgId } })).status).toBe(200);
    });

    it('when the sandbox is unknown', async () => {
      const { id } = await doubled.conversation({ sandbox_id: randomUUID() });
      await expectError(send(id), 404, 'sandbox_not_found');
    });

    it('when the agent server does not know the conversation', async () => {
      const { id } = await doubled.conversation();
      double.fail({ kind: 'status', status: 404, stored: false }, sendTo(id));
      await expectError(send(id), 404, 'conversation_unknown_to_agent_server');
    });

    it('when its start failed: what the agent server has under its id is another conversation', async () => {
      const { id } = await doubled.conversation({ start_state: 'failed' });
      await expectError(send(id), 404, 'conversation_unknown_to_agent_server');
      expect(sent(id)).toEqual([]);
      expect((await service.call('GET', `/api/v1/app-conversations/${id}`)).body).toMatchObject({
        conversation_url: null,
        session_api_key: null,
      });
    });
  });

  it('is 410 when the sandbox is MISSING', async () => {
    const { id } = await doubled.conversation({ sandbox: { status: 'MISSING' } });
    await expectError(send(id), 410, 'conversation_archived');
  });

  it('is 503 with Retry-After when the sandbox is in ERROR', async () => {
    const { id } = await doubled.conversation({ sandbox: { status: 'ERROR' } });
    const { headers } = await expectError(send(id), 503, 'sandbox_error');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('is 409 that names PAUSED and the resume path', async () => {
    const { id, sandboxId } = await doubled.conversation({ sandbox: { status: 'PAUSED' } });
    const { body } = await expectError(send(id), 409, 'sandbox_not_running');
    expect(body.detail).toContain('PAUSED');
    expect(body.detail).toContain(`/api/v1/sandboxes/${sandboxId}/resume`);
  });

  it('is 409 that names STARTING, also while the start has not reached the sandbox yet', async () => {
    const starting = await doubled.conversation({ sandbox: { status: 'STARTING', isClaimed: true } });
    const notReady = await doubled.conversation({ start_state: 'starting' });
    for (const { id } of [starting, notReady]) {
      const { body } = await expectError(send(id), 409, 'sandbox_not_running');
      expect(body.detail).toContain('STARTING');
      expect(sent(id)).toEqual([]);
    }
  });

  it.each(['pause', 'delete'] as const)('is 409 that names STOPPING during a %s', async (stopping) => {
    const { id } = await doubled.conversation({ sandbox: { status: 'PAUSED', stopping, isClaimed: true } });
    const { body } = await expectError(send(id), 409, 'sandbox_not_running');
    expect(body.detail).toContain('STOPPING');
    expect(body.detail).not.toContain('resume');
  });

  describe('with an agent server that is away', () => {
    async function expectUnavailable(id: string): Promise<void> {
      const { headers } = await expectError(send(id), 503, 'agent_server_unavailable');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }

    /** The sandbox changes after it was looked at and before the agent server is called. */
    function changeMeanwhile(status: string): void {
      const targets = service.app.app.get(SendTargets);
      const find = targets.find.bind(targets);
      jest.spyOn(targets, 'find').mockImplementationOnce(async (id) => {
        const target = await find(id);
        await service.app.db.query('UPDATE sandboxes SET status = $2 WHERE id = $1', [
          target?.sandbox?.id,
          status,
        ]);
        return target;
      });
    }

    async function closed(): Promise<string> {
      return `http://127.0.0.1:${await freePort()}`;
    }

    it('is 503 when the connection is refused and the sandbox still counts as running', async () => {
      const { id } = await doubled.conversation({ sandbox: { baseUrl: await closed() } });
      await expectUnavailable(id);
    });

    it('is 409 when the sandbox was paused meanwhile, and 410 when it went', async () => {
      const sandbox = { baseUrl: await closed() };
      const paused = await doubled.conversation({ sandbox });
      changeMeanwhile('PAUSED');
      await expectError(send(paused.id), 409, 'sandbox_not_running');
      const gone = await doubled.conversation({ sandbox });
      changeMeanwhile('MISSING');
      await expectError(send(gone.id), 410, 'conversation_archived');
    });

    it('is 503 when it does not answer in time', async () => {
      const { id } = await doubled.conversation();
      double.fail({ kind: 'hang', stored: false }, sendTo(id));
      const began = performance.now();
      await expectUnavailable(id);
      expect(performance.now() - began).toBeGreaterThan(4_900);
    });

    it('is 503 when it resets the connection', async () => {
      const { id } = await doubled.conversation();
      double.fail({ kind: 'reset', stored: false }, sendTo(id));
      await expectUnavailable(id);
    });

    it.each([500, 503, 409, 401])('is 503 when it answers %i', async (status) => {
      const { id } = await doubled.conversation();
      double.fail({ kind: 'status', status, stored: false }, sendTo(id));
      await expectUnavailable(id);
    });
  });

  it.each([400, 413, 422])('is 422 with the reason when the agent server answers %i', async (status) => {
    const { id } = await doubled.conversation();
    double.fail({ kind: 'status', status, stored: false, detail: 'An image is too large.' }, sendTo(id));
    const response = await send(id);
    expect([response.status, response.body]).toEqual([
      422,
      { detail: [{ type: 'value_error', loc: ['body'], msg: 'An image is too large.', input: null }] },
    ]);
  });

  it('looks at the conversation before the sandbox, and at the sandbox before the agent server', async () => {
    const member = await makeCaller(service.app.db, service.owner.orgId);
    const foreign = await doubled.conversation({ owner: member, sandbox: { status: 'MISSING' } });
    await expectError(send(foreign.id), 404, 'conversation_not_found');
    const missing = await doubled.conversation({ start_state: 'starting', sandbox: { status: 'MISSING' } });
    await expectError(send(missing.id), 410, 'conversation_archived');
    const failed = await doubled.conversation({ start_state: 'starting', sandbox: { status: 'ERROR' } });
    await expectError(send(failed.id), 503, 'sandbox_error');
    for (const { id } of [foreign, missing, failed]) expect(sent(id)).toEqual([]);
  });
});
