import { randomUUID } from 'node:crypto';
import { type ConversationService, type StartTask } from '../../support/service/conversation-service';
import { sendTo, startOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import type { HttpResponse, CallOptions, ErrorBody } from '../../support/service/http';
import { eventually } from '../../support/eventually';

const PATH = '/api/v1/app-conversations';
const SECRET = 'a value nobody may see';

function message(text: string): { type: string; text: string }[] {
  return [{ type: 'text', text }];
}

describe('POST /api/v1/app-conversations', () => {
  let doubled: DoubledService;
  let service: ConversationService;

  beforeAll(async () => {
    doubled = await DoubledService.start({ LLM_MODEL: 'a-default-model', MAX_SANDBOXES_PER_ORG: '30' });
    ({ service } = doubled);
  });

  afterAll(() => doubled.close());

  function start<Body = ErrorBody>(body: unknown, options: CallOptions = {}): Promise<HttpResponse<Body>> {
    return service.call<Body>('POST', PATH, { body, ...options });
  }

  /** What the agent server was asked to start as a conversation. */
  function startCall(id: string | null): unknown {
    const [call] = doubled.double.arrived(startOf(id ?? ''));
    return JSON.parse(call?.body ?? 'null');
  }

  it('takes empty texts, as forms send them, for absent', async () => {
    const { status, body } = await start<Record<string, unknown>>({
      sandbox_id: '',
      conversation_id: '',
      system_message_suffix: '',
      llm_model: '',
      title: '',
      agent_profile_id: '',
      selected_repository: '',
      selected_branch: '',
      git_provider: '',
      trigger: '',
      parent_conversation_id: '',
      agent_type: '',
    });
    expect([status, body.request]).toEqual([200, { pr_number: [], agent_type: 'default' }]);
    const ended = await service.ended(String(body.id));
    expect(ended).toMatchObject({ status: 'READY', detail: null });
    expect(await service.record(ended.app_conversation_id ?? '')).toMatchObject({
      title: null,
      selected_branch: null,
      llm_model: 'a-default-model',
    });
  });

  it('answers a task at once, and starts with nothing but defaults', async () => {
    const { status, body } = await start<Record<string, unknown>>({});
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String) as unknown,
      created_by_user_id: service.owner.userId,
      status: 'WORKING',
      detail: null,
      app_conversation_id: null,
      sandbox_id: expect.any(String) as unknown,
      agent_server_url: null,
      request: { pr_number: [], agent_type: 'default' },
      created_at: expect.stringMatching(/Z$/) as unknown,
      updated_at: expect.stringMatching(/Z$/) as unknown,
    });
    const ended = await service.ended(String(body.id));
    expect(ended).toMatchObject({ status: 'READY', agent_server_url: doubled.double.url });
    expect(await service.record(ended.app_conversation_id ?? '')).toMatchObject({
      title: null,
      llm_model: 'a-default-model',
      sandbox_id: ended.sandbox_id,
      sandbox_status: 'RUNNING',
      execution_status: 'idle',
      pr_number: [],
      tags: {},
    });
    const made = startCall(ended.app_conversation_id);
    expect(made).toMatchObject({ agent: { llm: { model: 'a-default-model' } }, autotitle: true });
    expect(made).not.toHaveProperty('initial_message');
  });

  it('keeps every field in request and record, and shows no secret anywhere', async () => {
    const parent = await doubled.conversation();
    const request = {
      conversation_id: randomUUID(),
      initial_message: { role: 'user', content: message('go'), run: false },
      title: 'A title',
      llm_model: 'a-model',
      selected_branch: 'main',
      git_provider: 'gitlab',
      trigger: 'jira_dc',
      pr_number: [1, 9007199254740991],
      parent_conversation_id: parent.id,
      agent_type: 'plan',
      plugins: [
        { source: 'github:acme/plugins', ref: 'v1', repo_path: 'plugins/lint', parameters: { a: 1 } },
        { source: 'gitlab:acme/more' },
      ],
      tags: { team: 'shop' },
    };
    const first = await start<StartTask>({ ...request, secrets: { TOKEN: SECRET, OTHER: SECRET } });
    expect(first.status).toBe(200);
    expect(first.body.request).toMatchObject({
      ...request,
      initial_message: { role: 'user', run: false },
      secrets: { TOKEN: '**********', OTHER: '**********' },
    });
    const ended = await service.ended(first.body.id);
    expect(ended).toMatchObject({ status: 'READY', app_conversation_id: request.conversation_id });
    const record = await service.record(request.conversation_id);
    const { conversation_id, initial_message, agent_type, plugins, ...kept } = request;
    expect(record).toMatchObject({ ...kept, id: conversation_id });

    expect(startCall(conversation_id)).toMatchObject({
      conversation_id,
      agent: {
        llm: { model: 'a-model' },
        agent_context: {
          system_message_suffix: expect.stringContaining(
            '- github:acme/plugins v1 plugins/lint: {"a":1}',
          ) as string,
        },
      },
      plugins: [
        { source: 'github:acme/plugins', ref: 'v1', repo_path: 'plugins/lint' },
        { source: 'https://gitlab.com/acme/more.git', ref: null, repo_path: null },
      ],
      secrets: {
        TOKEN: { kind: 'StaticSecret', value: SECRET },
        OTHER: { kind: 'StaticSecret', value: SECRET },
      },
      autotitle: false,
    });
    expect(await service.texts(conversation_id, 'user', 0)).toEqual([]);
    expect([initial_message.run, agent_type, plugins.length]).toEqual([false, 'plan', 2]);
    const responses = [
      first.body,
      ended,
      record,
      (await service.call('GET', `${PATH}/start-tasks/search`)).body,
    ];
    expect(JSON.stringify(responses)).not.toContain(SECRET);
    const [row] = await service.app.db.query<{ sealed_secrets: string | null; everything: string }[]>(
      'SELECT sealed_secrets, start_tasks::text AS everything FROM start_tasks WHERE id = $1',
      [ended.id],
    );
    expect(row?.sealed_secrets).toBeNull();
    expect(row?.everything).not.toContain(SECRET);
  });

  it('delivers the initial message first, and runs the agent unless run is false', async () => {
    const runs = async (initial_message: unknown): Promise<unknown> => {
      const id = await service.ready({ initial_message });
      const sent = (): string | undefined => doubled.double.arrived(sendTo(id))[0]?.body;
      await eventually(() => expect(sent()).toBeDefined());
      return (JSON.parse(sent() ?? '') as { run: unknown }).run;
    };
    expect(await runs({ content: message('go') })).toBe(true);
    expect(await runs({ content: message('go'), run: true })).toBe(true);
    expect(await runs({ content: message('go'), run: false })).toBe(false);
  });

  it.each(['system', 'assistant', 'tool'])('is 400 for an initial message of the role %s', async (role) => {
    const { status, body } = await start({ initial_message: { role, content: message('x') } });
    expect([status, body.code]).toEqual([400, 'role_not_supported']);
  });

  it.each([
    [{ trigger: 'by_hand' }],
    [{ git_provider: 'svn' }],
    [{ agent_type: 'other' }],
    [{ conversation_id: 'nonsense' }],
    [{ pr_number: ['x'] }],
    [{ secrets: { a: 1 } }],
    [{ plugins: [{}] }],
    [[]],
  ])('is 422 for %j', async (body) => {
    expect((await start(body)).status).toBe(422);
  });

  it('is 400 for numbers beyond what the database holds', async () => {
    const { status, body } = await service.call<ErrorBody>('POST', PATH, {
      raw: '{"pr_number":[1234567890123456789012345]}',
    });
    expect([status, body.code]).toEqual([400, 'value_out_of_range']);
  });

  it('keeps NUL and lone surrogates as U+FFFD', async () => {
    const response = await service.call<StartTask>('POST', PATH, {
      raw: '{"title":"a\\u0000\\ud800","tags":{"\\u0000":"\\udc00"},"secrets":{"A\\u0000":"x"}}',
    });
    expect(response.status).toBe(200);
    expect(response.body.request).toMatchObject({ title: 'a\uFFFD\uFFFD', tags: { '\uFFFD': '\uFFFD' } });
    expect((await service.ended(response.body.id)).status).toBe('READY');
  });

  describe('with a sandbox_id', () => {
    it('runs in that sandbox, in any spelling of its id', async () => {
      const { sandboxId } = await doubled.conversation();
      const id = await service.ready({ sandbox_id: sandboxId.replaceAll('-', '').toUpperCase() });
      expect((await service.record(id)).sandbox_id).toBe(sandboxId);
    });

    it("is 404 unless it is the caller's, in the same organization, and there", async () => {
      const { db } = service.app;
      const member = await makeCaller(db, service.owner.orgId);
      const elsewhere: TestCaller = { ...service.owner, orgId: (await makeOrg(db)).id };
      const unusable = [
        randomUUID(),
        'nonsense',
        (await doubled.conversation({ owner: member })).sandboxId,
        (await doubled.conversation({ owner: elsewhere })).sandboxId,
        (await doubled.conversation({ sandbox: { status: 'MISSING' } })).sandboxId,
      ];
      for (const sandbox_id of unusable) {
        const { status, body } = await start({ sandbox_id });
        expect([status, body.code]).toEqual([404, 'sandbox_not_found']);
      }
    });
  });

  it("is 404 unless the parent is the caller's, in the same organization, and there", async () => {
    const { db } = service.app;
    const member = await makeCaller(db, service.owner.orgId);
    const elsewhere: TestCaller = { ...service.owner, orgId: (await makeOrg(db)).id };
    const unusable = [
      randomUUID(),
      (await doubled.conversation({ owner: member })).id,
      (await doubled.conversation({ owner: elsewhere })).id,
      (await doubled.conversation({ deleted_at: new Date() })).id,
    ];
    for (const parent_conversation_id of unusable) {
      const { status, body } = await start({ parent_conversation_id });
      expect([status, body.code]).toEqual([404, 'parent_conversation_not_found']);
    }
  });

  it('is 409 for a conversation_id in use, whoever owns it, deleted ones included', async () => {
    const other = await makeCaller(service.app.db, (await makeOrg(service.app.db)).id);
    const taken = [
      (await doubled.conversation()).id,
      (await doubled.conversation({ owner: other })).id,
      (await doubled.conversation({ deleted_at: new Date() })).id,
    ];
    for (const conversation_id of taken) {
      const { status, body } = await start({ conversation_id: conversation_id.replaceAll('-', '') });
      expect([status, body.code]).toEqual([409, 'conversation_id_in_use']);
    }
  });

  it('starts one conversation of those that ask for the same id at the same time', async () => {
    const conversation_id = randomUUID();
    const responses = await Promise.all(Array.from({ length: 6 }, () => start({ conversation_id })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const [row] = await service.app.db.query<[{ count: string }]>(
      'SELECT count(*) FROM start_tasks WHERE conversation_id = $1',
      [conversation_id],
    );
    expect(Number(row.count)).toBe(1);
  });

  it('is 429 beyond the cap on sandboxes, 409 first for an id in use, and leaves nothing behind', async () => {
    const { db } = service.app;
    const caller = await makeCaller(db, (await makeOrg(db)).id);
    for (let made = 0; made < 30; made++) await doubled.conversation({ owner: caller });
    const { status, body, headers } = await start({}, { key: caller.key });
    expect([status, body.code]).toEqual([429, 'concurrency_limit_reached']);
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    const tasks = await service.call<{ items: unknown[] }>('GET', `${PATH}/start-tasks/search`, {
      key: caller.key,
    });
    expect(tasks.body.items).toEqual([]);
    const { id: conversation_id } = await doubled.conversation({ owner: caller });
    const again = await start({ conversation_id }, { key: caller.key });
    expect([again.status, again.body.code]).toEqual([409, 'conversation_id_in_use']);
    await db.query(`UPDATE sandboxes SET status = 'MISSING' WHERE org_id = $1`, [caller.orgId]);
  });

  describe('belongs to the effective organization', () => {
    async function orgOf(task: StartTask): Promise<string | undefined> {
      const [row] = await service.app.db.query<{ org_id: string }[]>(
        'SELECT org_id FROM start_tasks WHERE id = $1',
        [task.id],
      );
      return row?.org_id;
    }

    it('by the key, by X-Org-Id, or the current one', async () => {
      const { db } = service.app;
      const other = await makeOrg(db);
      await db.query(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'member')`, [
        other.id,
        service.owner.userId,
      ]);
      const bound = await makeKey(db, service.owner.userId, { orgId: other.id });
      expect(await orgOf(await service.begin())).toBe(service.owner.orgId);
      expect(await orgOf(await service.begin({}, { headers: { 'X-Org-Id': other.id } }))).toBe(other.id);
      expect(await orgOf(await service.begin({}, { key: bound.key }))).toBe(other.id);
    });

    it('is 403 where the caller is no member, 400 for a malformed one', async () => {
      const other = await makeOrg(service.app.db);
      expect((await start({}, { headers: { 'X-Org-Id': other.id } })).status).toBe(403);
      expect((await start({}, { headers: { 'X-Org-Id': 'nonsense' } })).status).toBe(400);
    });
  });

  it('ends in ERROR when the agent server has a conversation of that id that the task did not make', async () => {
    const conversation_id = randomUUID();
    doubled.double.addConversation(conversation_id);
    const ended = await service.ended((await service.begin({ conversation_id })).id);
    expect(ended.status).toBe('ERROR');
    expect(ended.detail).toContain('another conversation');
    expect(doubled.double.messages(conversation_id)).toEqual([]);
  });
});
