import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skillsFor, startOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import type { ConversationRecord } from '../../support/service/conversation-service';
import type { ErrorBody, HttpResponse } from '../../support/service/http';

const PATH = '/api/v1/app-conversations';
const SUFFIX = 'Answer in the language of the question.';

interface StartCall {
  readonly agent: {
    readonly llm: { readonly model: string };
    readonly agent_context: { readonly system_message_suffix?: string };
  };
  readonly max_budget_per_task?: number;
}

interface PublicRecord extends ConversationRecord {
  readonly metrics: { readonly max_budget_per_task: number | null };
  readonly launched_agent_profile: { readonly agent_profile_id: string; readonly revision: number } | null;
}

let folder: string;
let git: TestGitServer;
let doubled: DoubledService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-start-'));
  git = await TestGitServer.start();
  await git.repository('shop', { 'README.md': 'A shop.' });
  const settings = { LLM_MODEL: 'house/model', MAX_SANDBOXES_PER_ORG: '100', GIT_ALLOWED_HOSTS: git.host };
  doubled = await DoubledService.start(settings, folder);
});
beforeEach(() => doubled.double.heal());
afterAll(async () => {
  await doubled.close();
  await git.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (body: unknown): Promise<HttpResponse<ErrorBody>> =>
  doubled.service.call<ErrorBody>('POST', PATH, { body });
const recordOf = async (id: string): Promise<PublicRecord> =>
  (await doubled.service.call<PublicRecord>('GET', `${PATH}/${id}`)).body;

/** What the agent server was asked to start as this conversation. */
function startCall(id: string | null): StartCall {
  const [call] = doubled.double.arrived(startOf(id ?? ''));
  return JSON.parse(call?.body ?? '') as StartCall;
}

/** How many conversations there are, and starts of some. */
async function stored(): Promise<unknown> {
  const [row] = await doubled.service.app.db.query<unknown[]>(
    'SELECT (SELECT count(*) FROM conversations) AS conversations, (SELECT count(*) FROM start_tasks) AS tasks',
  );
  return row;
}

describe('system_message_suffix', () => {
  it('is what the agent server adds to the instructions of the agent, and stays in the request', async () => {
    const task = await doubled.service.begin({ system_message_suffix: SUFFIX });
    expect(task.request).toMatchObject({ system_message_suffix: SUFFIX });
    const ended = await doubled.service.ended(task.id);
    expect(ended.status).toBe('READY');
    expect(startCall(ended.app_conversation_id).agent.agent_context.system_message_suffix).toBe(SUFFIX);
  });

  it('comes after the advice of a planner and the parameters of plugins', async () => {
    const id = await doubled.service.ready({
      agent_type: 'plan',
      plugins: [{ source: 'github:acme/plugins', parameters: { a: 1 } }],
      system_message_suffix: SUFFIX,
    });
    expect(startCall(id).agent.agent_context.system_message_suffix).toMatch(
      new RegExp(`^Only plan: [^]*\\n\\nParameters [^]*\\n\\n${SUFFIX}$`),
    );
  });

  it.each([{}, { system_message_suffix: null }, { system_message_suffix: '' }])(
    'is not sent for %j',
    async (request) => {
      const id = await doubled.service.ready(request);
      expect(startCall(id).agent.agent_context).not.toHaveProperty('system_message_suffix');
    },
  );

  it('has at most as many characters as agent servers take', async () => {
    const id = await doubled.service.ready({ system_message_suffix: 'x'.repeat(32_768) });
    expect(startCall(id).agent.agent_context.system_message_suffix).toHaveLength(32_768);
    const { status, body } = await start({ system_message_suffix: 'x'.repeat(32_769) });
    expect([status, body.detail]).toMatchObject([422, [{ type: 'string_too_long' }]]);
  });
});

describe('agent_profile_id', () => {
  const save = (path: string, body: unknown) => doubled.service.call('POST', path, { body });

  async function profile(name: string): Promise<string> {
    await save(`/api/v1/settings/profiles/${name}`, { llm: { model: `${name}/model` } });
    await save(`/api/agent-profiles/${name}`, { llm_profile_ref: name });
    const { body } = await doubled.service.call<{ id: string }>('GET', `/api/agent-profiles/${name}`);
    return (body as unknown as { profile: { id: string } }).profile.id;
  }

  it('has the agent server start on the profile’s model, and the record say which profile it was', async () => {
    const id = await profile('reviewer');
    await save('/api/agent-profiles/reviewer', { llm_profile_ref: 'reviewer' });
    const conversation = await doubled.service.ready({ agent_profile_id: id });
    expect(startCall(conversation).agent.llm.model).toBe('reviewer/model');
    const launched = { agent_profile_id: id, revision: 2 };
    expect((await recordOf(conversation)).launched_agent_profile).toEqual(launched);
    await doubled.service.call('DELETE', '/api/agent-profiles/reviewer');
    expect((await recordOf(conversation)).launched_agent_profile).toEqual(launched);
  });

  it('is started without a model profile that is gone, and the task says so', async () => {
    const id = await profile('orphan');
    await doubled.service.call('DELETE', '/api/v1/settings/profiles/orphan');
    const task = await doubled.service.ended((await doubled.service.begin({ agent_profile_id: id })).id);
    expect(task.status).toBe('READY');
    expect(task.detail).toContain('There is no model profile orphan');
    expect(startCall(task.app_conversation_id).agent.llm.model).toBe('house/model');
  });

  it('is null in the record of a conversation without a profile', async () => {
    expect((await recordOf(await doubled.service.ready())).launched_agent_profile).toBeNull();
  });

  it('ends the start in ERROR when the profile is deleted before it counts', async () => {
    const id = await profile('passing');
    // Ends the first run after it has looked for the profile; another one follows.
    const conversation = randomUUID();
    doubled.double.fail({ kind: 'status', status: 503, stored: false }, skillsFor(conversation), Infinity);
    const task = await doubled.service.begin({ conversation_id: conversation, agent_profile_id: id });
    await doubled.service.call('DELETE', '/api/agent-profiles/passing');
    expect(await doubled.service.ended(task.id)).toMatchObject({
      status: 'ERROR',
      detail: 'The agent profile was deleted before the conversation started.',
    });
    expect(doubled.double.arrived(startOf(conversation))).toEqual([]);
  });
});

describe('the budget of a task', () => {
  it('goes to the agent server, and stays in the record as it was at the start', async () => {
    const budget = (max_budget_per_task: number | null) =>
      doubled.service.call('POST', '/api/organizations/app', { body: { max_budget_per_task } });
    await budget(2.5);
    const id = await doubled.service.ready();
    await budget(null);
    expect(startCall(id).max_budget_per_task).toBe(2.5);
    expect((await recordOf(id)).metrics.max_budget_per_task).toBe(2.5);
  });
});

describe('suggested_task', () => {
  const task = { git_provider: 'gitlab', issue_number: 42, title: 'The login fails' };

  it.each([
    ['OPEN_ISSUE', 'Resolve issue 42 of'],
    ['MERGE_CONFLICTS', 'Resolve the merge conflicts of pull request 42 of'],
    ['FAILING_CHECKS', 'Make the failing checks of pull request 42 of'],
    ['UNRESOLVED_COMMENTS', 'Address the unresolved review comments of pull request 42 of'],
  ])('of the type %s is the first message, with repository, provider and trigger', async (type, begin) => {
    const repo = git.url('shop');
    const id = await doubled.service.ready({ suggested_task: { ...task, repo, task_type: type } });
    await eventually(() => expect(doubled.double.messages(id)).toHaveLength(1));
    const [first] = doubled.double.messages(id);
    expect(first?.text.startsWith(`${begin} ${repo} ("The login fails")`)).toBe(true);
    expect(await recordOf(id)).toMatchObject({
      selected_repository: repo,
      git_provider: 'gitlab',
      trigger: 'suggested_task',
    });
  });

  it('gives way to the repository, provider and trigger of the request', async () => {
    const asked = { selected_repository: git.url('shop'), git_provider: 'forgejo', trigger: 'slack' };
    const id = await doubled.service.ready({
      ...asked,
      suggested_task: { ...task, repo: 'acme/other', task_type: 'OPEN_ISSUE' },
    });
    expect(await recordOf(id)).toMatchObject(asked);
  });

  it('is refused beside an initial message, and for work of an unknown type', async () => {
    const before = await stored();
    const both = await start({
      suggested_task: { ...task, repo: 'acme/shop', task_type: 'OPEN_ISSUE' },
      initial_message: { content: [{ type: 'text', text: 'x' }] },
    });
    expect([both.status, both.body.code]).toEqual([400, 'suggested_task_with_message']);
    const unknown = await start({
      suggested_task: { ...task, repo: 'acme/shop', task_type: 'WASH_THE_CAR' },
    });
    expect([unknown.status, unknown.body.detail]).toMatchObject([422, [{ type: 'enum' }]]);
    expect(await stored()).toEqual(before);
  });
});

describe('what no conversation can start with', () => {
  it.each([
    [{ public: true }, 'sharing_not_supported', 'public'],
    [{ processors: [{ kind: 'LoggingCallbackProcessor' }] }, 'start_field_not_supported', 'processors'],
    [{ dependency_repos: ['acme/library'] }, 'start_field_not_supported', 'dependency_repos'],
  ])('is 400 for %j, names the field, and leaves nothing behind', async (request, code, field) => {
    const before = await stored();
    for (const path of [PATH, `${PATH}/stream-start`]) {
      const { status, body } = await doubled.service.call<ErrorBody>('POST', path, { body: request });
      expect([status, body.code]).toEqual([400, code]);
      expect(body.detail).toContain(field);
    }
    expect(await stored()).toEqual(before);
  });

  it('passes where nothing is asked for', async () => {
    const request = { public: false, processors: [], dependency_repos: null, suggested_task: null };
    const id = await doubled.service.ready(request);
    expect(await recordOf(id)).toMatchObject({ public: false, acp_server: null });
  });
});

describe('a field of no interface', () => {
  it('is passed over, in the request and in its message', async () => {
    const text = { type: 'text', text: 'Go on.' };
    const id = await doubled.service.ready({
      initial_message: { role: 'user', content: [text], mood: 'calm' },
      field_of_tomorrow: { at: [1, 2] },
    });
    await eventually(() => expect(doubled.double.messages(id).map((one) => one.text)).toEqual(['Go on.']));
    expect(JSON.stringify(startCall(id))).not.toContain('field_of_tomorrow');
  });

  it('is named in X-Ignored-Fields, at any depth and in a repeated answer', async () => {
    const body = {
      initial_mesage: { role: 'user' },
      initial_message: { content: [{ type: 'image', image_urls: [], detail: 'low' }], mood: 'calm' },
      plugins: [{ source: 'github:acme/a' }, { source: 'github:acme/b', reff: 'v1', parameters: { any: 1 } }],
      tags: { any: 1 },
      'a.b, größer\n': null,
    };
    const named = [
      'initial_mesage',
      'initial_message.content.0.detail',
      'initial_message.mood',
      'plugins.1.reff',
      'a%2Eb%2C%20gr%C3%B6%C3%9Fer%0A',
    ].join(', ');
    for (const replayed of [undefined, 'true']) {
      const headers = { 'Idempotency-Key': 'with-ignored-fields' };
      const answer = await doubled.service.call('POST', PATH, { body, headers });
      expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([200, replayed]);
      expect(answer.headers['x-ignored-fields']).toBe(named);
    }
  });

  it('is named in the answer of a stream, and where nothing is ignored there is no such header', async () => {
    const path = `${PATH}/stream-start`;
    const one = await doubled.service.call('POST', path, { body: { titel: 'Fix' } });
    expect(one.headers['x-ignored-fields']).toBe('titel');
    const none = await doubled.service.call('POST', PATH, { body: { title: 'Fix', tags: { any: 1 } } });
    expect(none.headers).not.toHaveProperty('x-ignored-fields');
  });

  it('is one of many, of which as many are named as a header can have', async () => {
    const fields = Array.from({ length: 2_000 }, (_, index) => [`field_${index}`, 1]);
    const { status, headers } = await start({ ...Object.fromEntries(fields), [`x${'ä'.repeat(50_000)}`]: 1 });
    expect(status).toBe(200);
    expect(headers['x-ignored-fields']).toMatch(/^field_0, field_1, .*, \.\.\.$/);
    expect(headers['x-ignored-fields']?.length).toBeLessThan(2_010);
  });
});
