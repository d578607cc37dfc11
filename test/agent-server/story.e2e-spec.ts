import { storySandboxes, type StorySandboxes } from '../support/agent-server/story-sandboxes';
import { ConversationService, type EventRecord } from '../support/service/conversation-service';
import { eventually } from '../support/eventually';
import { TestGitServer } from '../support/git/git-server';
import { reply, ScriptedModel } from '../support/model/scripted-model';
import { IS_OLDER } from './bench';

const PATIENCE_MS = 90_000;
/** The image of containers is built first. */
const PREPARATION_MS = 30 * 60_000;
const ORIGIN = 'https://app.example.com';

function text(words: string): { content: { type: string; text: string }[] } {
  return { content: [{ type: 'text', text: words }] };
}

describe('the story against the real agent server', () => {
  let sandboxes: StorySandboxes;
  let model: ScriptedModel;
  let git: TestGitServer;
  let service: ConversationService;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    sandboxes = await storySandboxes();
    closing.push(() => sandboxes.close());
    model = await ScriptedModel.start(sandboxes.host);
    closing.push(() => model.stop());
    git = await TestGitServer.start(sandboxes.host);
    closing.push(() => git.close());
    service = await ConversationService.start(
      {
        ...sandboxes.env,
        LLM_MODEL: 'openai/scripted',
        LLM_BASE_URL: model.baseUrl,
        LLM_API_KEY: 'scripted-model-key',
        GIT_ALLOWED_HOSTS: git.host,
        CORS_ORIGINS: ORIGIN,
      },
      PATIENCE_MS,
    );
    closing.push(() => service.close());
  }, PREPARATION_MS);

  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  const becomes = (id: string, status: string): Promise<void> =>
    eventually(async () => {
      expect((await service.record(id)).execution_status).toBe(status);
    }, PATIENCE_MS);

  it('answers the initial message, then what was queued, then a follow-up, and is in the list', async () => {
    const task = await service.begin({ title: 'Real', initial_message: text('one') });
    const queued = await service.call('POST', `/api/v1/conversations/${task.id}/pending-messages`, {
      body: text('two'),
    });
    expect(queued.status).toBe(200);
    const ended = await service.ended(task.id);
    expect(ended).toMatchObject({ status: 'READY', detail: null });
    const id = ended.app_conversation_id ?? '';
    expect(await service.texts(id, 'user', 2)).toEqual(['one', 'two']);
    await becomes(id, 'finished');
    const sent = await service.call('POST', `/api/v1/app-conversations/${id}/send-message`, {
      body: text('three'),
    });
    expect(sent).toMatchObject({ status: 200, body: { success: true, sandbox_status: 'RUNNING' } });
    expect(await service.texts(id, 'user', 3)).toEqual(['one', 'two', 'three']);
    await eventually(async () => {
      expect((await service.texts(id, 'agent', 1)).at(-1)).toContain('three');
    }, PATIENCE_MS);
    await becomes(id, 'finished');
    await eventually(async () => {
      const { title, metrics } = await service.record(id);
      expect(title).toBe('Real');
      expect(metrics.prompt_tokens).toBeGreaterThan(0);
    }, PATIENCE_MS);

    const list = await service.call<{
      items: { id: string; execution_status: string; total_tokens: number }[];
    }>('GET', `/api/organizations/${service.owner.orgId}/conversations`);
    expect(list.status).toBe(200);
    expect(list.body.items.find((item) => item.id === id)).toMatchObject({ execution_status: 'finished' });
  });

  it('adds to the instructions of the agent what the start asks for, and tells figures of its model', async () => {
    const suffix = 'Answer in the language of the question.';
    const id = await service.ready({ system_message_suffix: suffix, initial_message: text('hello') });
    await becomes(id, 'finished');
    await eventually(async () => {
      const prompt = (await service.events(id)).find(({ kind }) => kind === 'SystemPromptEvent');
      expect(JSON.stringify(prompt)).toContain(suffix);
    }, PATIENCE_MS);
    await eventually(async () => {
      const { prompt_tokens, accumulated_token_usage: usage } = (await service.record(id)).metrics;
      expect(prompt_tokens).toBeGreaterThan(0);
      expect(usage).toMatchObject({ model: 'openai/scripted', prompt_tokens });
      expect((usage as { per_turn_token: number }).per_turn_token).toBeGreaterThan(0);
    }, PATIENCE_MS);
  });

  it('goes on with the model of a profile, and may be called by pages of CORS_ORIGINS', async () => {
    const id = await service.ready({ initial_message: text('with the first') });
    await becomes(id, 'finished');
    await service.call('POST', '/api/v1/settings/profiles/Other', {
      body: { llm: { model: 'openai/other', base_url: model.baseUrl, api_key: 'another-model-key' } },
    });
    const switched = await service.call('POST', `/api/v1/app-conversations/${id}/switch_profile`, {
      body: { profile_name: 'Other' },
    });
    expect(switched).toMatchObject({ status: 200, body: { success: true } });
    await service.call('POST', `/api/v1/app-conversations/${id}/send-message`, { body: text('and on') });
    await eventually(async () => {
      expect((await service.texts(id, 'agent', 1)).at(-1)).toContain('and on');
    }, PATIENCE_MS);
    const asked = model.requests.filter(({ tools }) => tools.length > 0);
    expect(asked.at(-1)).toMatchObject({ model: 'other', authorization: 'Bearer another-model-key' });
    await becomes(id, 'finished');

    const { conversation_url: url } = await service.record(id);
    const allowedFor = async (origin: string) => {
      const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
      const { headers: answered } = await fetch(url ?? '', { method: 'OPTIONS', headers });
      return answered.get('access-control-allow-origin');
    };
    expect([await allowedFor(ORIGIN), await allowedFor('https://evil.example')]).toEqual([ORIGIN, null]);
  });

  it('compacts its context when asked, and calls its model as it is set', async () => {
    const llm = { base_url: model.baseUrl, api_key: 'scripted-model-key', num_retries: 0 };
    const tuning = { reasoning_effort: 'low', extra_headers: { 'X-Team': 'header-of-a-team' } };
    const diff = { model: 'openai/tuned', ...llm, ...tuning };
    await service.call('POST', '/api/v1/settings', { body: { agent_settings_diff: { llm: diff } } });
    const id = await service.ready({ initial_message: text('first of many') });
    await service.call('POST', '/api/v1/settings', { body: { agent_settings_diff: { llm: null } } });
    await becomes(id, 'finished');
    for (const words of ['second', 'third', 'fourth']) {
      await service.call('POST', `/api/v1/app-conversations/${id}/send-message`, { body: text(words) });
      await eventually(async () => {
        expect((await service.texts(id, 'agent', 1)).at(-1)).toContain(words);
      }, PATIENCE_MS);
      await becomes(id, 'finished');
    }
    expect(model.requests.filter((call) => call.model === 'tuned').at(-1)?.body).toMatchObject({
      reasoning_effort: 'low',
    });
    const { conversation_url: url, session_api_key: key } = await service.record(id);
    const condensed = await service.call('POST', '/api/cloud-proxy', {
      body: {
        host: new URL(url ?? '').origin,
        method: 'POST',
        path: `/api/conversations/${id}/condense`,
        headers: { 'X-Session-API-Key': key },
      },
    });
    expect(condensed).toMatchObject({ status: 200, body: { success: true } });
    await eventually(async () => {
      const events = await service.events(id);
      expect(events.map(({ kind }) => kind)).toContain('Condensation');
      expect(JSON.stringify(events)).not.toContain('header-of-a-team');
    }, PATIENCE_MS);
  });

  it('has the skills of its repository, without those that its user does not want', async () => {
    const skill = (name: string) => `---\nname: ${name}\ntriggers: [${name}]\n---\nIt has stripes.\n`;
    await git.repository('zoo', {
      '.openhands/skills/zebra/SKILL.md': skill('zebra'),
      '.openhands/skills/okapi/SKILL.md': skill('okapi'),
    });
    await service.call('POST', '/api/v1/settings', { body: { disabled_skills: ['okapi'] } });
    const id = await service.ready({
      selected_repository: git.url('zoo'),
      initial_message: text('Is an okapi a zebra?'),
    });
    await becomes(id, 'finished');
    await eventually(async () => {
      const message = (await service.events(id)).find(({ source }) => source === 'user');
      expect(message).toMatchObject({ activated_skills: ['zebra'] });
    }, PATIENCE_MS);
    const { body } = await service.call('GET', `/api/v1/app-conversations/${id}/skills`);
    expect(body).toMatchObject({ skills: [{ name: 'okapi' }, { name: 'zebra', triggers: ['zebra'] }] });
  });

  it('clones the branch asked for, hands secrets over, and its tool calls are read by id', async () => {
    const repository = await git.repository('shop', { 'README.md': 'main' });
    await repository.commit({ 'README.md': 'the feature' }, 'feature');
    model.when(
      'look',
      reply.tool('terminal', { command: 'cat README.md; echo "token is $SHOP_TOKEN" | wc -c' }),
      reply.text('Seen.'),
    );
    const id = await service.ready({
      selected_repository: git.url('shop'),
      selected_branch: 'feature',
      secrets: { SHOP_TOKEN: 'hidden-value' },
      initial_message: text('look'),
    });
    await becomes(id, 'finished');
    const observation = await eventually(async () => {
      const found = (await service.events(id)).find(({ kind }) => kind === 'ObservationEvent');
      if (!found) throw new Error('There is no observation yet.');
      return found;
    }, PATIENCE_MS);
    const one = await service.call('GET', `/api/conversations/${id}/events/${observation.id}`);
    expect(one.status).toBe(200);
    expect(JSON.stringify(one.body)).toContain('the feature');
    const everything = JSON.stringify([await service.events(id), await service.record(id)]);
    expect(everything).not.toContain('hidden-value');
  });

  it('keeps every event as the agent server has it, of kinds that it has no description of as well', async () => {
    const save = (conversation_settings_diff: Record<string, unknown>) =>
      service.call('POST', '/api/v1/settings', { body: { conversation_settings_diff } });
    await save({ confirmation_mode: true, security_analyzer: 'llm' });
    const look = { command: 'echo harmless', security_risk: 'LOW' };
    model.when('judge', reply.tool('terminal', look), reply.text('Judged.'));
    const id = await service.ready({ initial_message: text('judge') });
    await save({ confirmation_mode: false, security_analyzer: null });
    await becomes(id, 'finished');
    const { conversation_url: url, session_api_key: key } = await service.record(id);
    const response = await fetch(`${url}/events/search?limit=100`, {
      headers: { 'X-Session-API-Key': key ?? '' },
    });
    const { items } = (await response.json()) as { items: EventRecord[] };
    const kinds = items.map(({ kind }) => kind);
    expect(kinds.includes('SecurityAnalysisEvent')).toBe(!IS_OLDER);
    expect(kinds).toContain('ObservationEvent');
    await eventually(async () => {
      const stored = new Map((await service.events(id)).map((event) => [event.id, event]));
      for (const event of items) expect(stored.get(event.id)).toMatchObject(event);
    }, PATIENCE_MS);
  });

  it('ends a start in ERROR with git’s reason when the branch is not there', async () => {
    await git.repository('empty', { 'README.md': 'main' });
    const task = await service.begin({ selected_repository: git.url('empty'), selected_branch: 'nowhere' });
    const ended = await service.ended(task.id);
    expect(ended.status).toBe('ERROR');
    expect(ended.detail).toContain('Remote branch nowhere not found');
  });

  it('shows a failing model as an error, with the event that says why', async () => {
    model.when('break', reply.failure(400, 'The model does not want to.'));
    const id = await service.ready({ initial_message: text('break') });
    await becomes(id, 'error');
    await eventually(async () => {
      const kinds = (await service.events(id)).map(({ kind }) => kind);
      expect(kinds).toContain('ConversationErrorEvent');
    }, PATIENCE_MS);
  });

  it('goes on after pause and resume, and after its agent server was killed in mid-run', async () => {
    const id = await service.ready({ initial_message: text('before') });
    await becomes(id, 'finished');
    const { sandbox_id: sandboxId } = await service.record(id);
    const sandboxBecomes = (status: string, withinMs = PATIENCE_MS): Promise<void> =>
      eventually(async () => {
        expect((await service.record(id)).sandbox_status).toBe(status);
      }, withinMs);

    expect((await service.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`)).status).toBe(200);
    await sandboxBecomes('PAUSED');
    const refused = await service.call('POST', `/api/v1/app-conversations/${id}/send-message`, {
      body: text('no'),
    });
    expect(refused.status).toBe(409);
    const queued = await service.call('POST', `/api/v1/conversations/${id}/pending-messages`, {
      body: text('asleep'),
    });
    expect(queued.status).toBe(200);
    expect((await service.call('POST', `/api/v1/sandboxes/${sandboxId}/resume`)).body).toEqual({
      success: true,
    });
    await sandboxBecomes('RUNNING');
    expect(await service.texts(id, 'user', 2)).toEqual(['before', 'asleep']);
    await becomes(id, 'finished');

    model.when('stuck', reply.hang(reply.text('never')));
    await service.call('POST', `/api/v1/app-conversations/${id}/send-message`, { body: text('stuck') });
    await becomes(id, 'running');
    // Before it asks its model, it may not have written down yet that it runs.
    await eventually(() => expect(model.hanging).toBe(1), PATIENCE_MS);
    await sandboxes.kill(service, sandboxId);
    await sandboxBecomes('ERROR');
    model.reset();
    expect((await service.call('POST', `/api/v1/sandboxes/${sandboxId}/resume`)).status).toBe(200);
    await sandboxBecomes('RUNNING');
    await becomes(id, 'error');
    await service.call('POST', `/api/v1/app-conversations/${id}/send-message`, { body: text('again') });
    await becomes(id, 'finished');
    await eventually(
      async () => expect((await service.texts(id, 'agent', 1)).at(-1)).toContain('again'),
      PATIENCE_MS,
    );
  });
});
