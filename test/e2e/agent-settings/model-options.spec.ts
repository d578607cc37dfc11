import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const HIDDEN = '**********';
const SECRET = 's3cret-of-a-model';

/** One value for each field of the software development kit's model, besides its name, address and key. */
const OPTIONS = {
  auth_type: 'api_key',
  subscription_vendor: 'openai',
  is_subscription: false,
  api_version: '2024-12-01-preview',
  aws_access_key_id: `${SECRET}-id`,
  aws_secret_access_key: `${SECRET}-key`,
  aws_session_token: `${SECRET}-session`,
  aws_region_name: 'eu-central-1',
  aws_profile_name: 'work',
  aws_role_name: 'arn:aws:iam::1:role/agents',
  aws_session_name: 'agents',
  aws_bedrock_runtime_endpoint: 'https://bedrock.example.com',
  openrouter_site_url: 'https://example.com/',
  openrouter_app_name: 'Example',
  num_retries: 2,
  retry_multiplier: 1.5,
  retry_min_wait: 1,
  retry_max_wait: 9,
  timeout: null,
  stream_idle_timeout: 12.5,
  max_message_chars: 20_000,
  temperature: 0.2,
  top_p: 0.9,
  top_k: 40,
  max_input_tokens: 100_000,
  max_output_tokens: 8_000,
  model_canonical_name: 'openai/gpt-4o',
  api_mode: 'chat',
  capability_overrides: { supports_vision: false, thinking_mode: 'none' },
  extra_headers: { 'X-Team': SECRET },
  input_cost_per_token: 0.000_001,
  output_cost_per_token: 0.000_002,
  ollama_base_url: 'https://ollama.example.com',
  stream: false,
  drop_params: false,
  disable_vision: true,
  disable_stop_word: true,
  caching_prompt: false,
  log_completions: true,
  log_completions_folder: 'logs/calls',
  custom_tokenizer: 'Qwen/Qwen3',
  native_tool_calling: false,
  force_string_serializer: true,
  inline_image_urls: true,
  reasoning_effort: 'low',
  reasoning_summary: 'concise',
  enable_encrypted_reasoning: false,
  prompt_cache_retention: null,
  extended_thinking_budget: 1_000,
  seed: -7,
  litellm_extra_body: { tags: ['agent'], deep: { a: null } },
};
const SHOWN = {
  ...OPTIONS,
  aws_access_key_id: HIDDEN,
  aws_secret_access_key: HIDDEN,
  aws_session_token: HIDDEN,
  extra_headers: { 'X-Team': HIDDEN },
};

type Llm = Readonly<Record<string, unknown>>;
interface Fault {
  readonly loc: readonly string[];
  readonly type: string;
}
interface Body {
  readonly agent_settings: { readonly llm: Llm };
  readonly llm: Llm;
  readonly detail: readonly Fault[];
  readonly id: string;
}

/** Where models are set. */
interface Place {
  readonly path: (as: TestCaller) => string;
  readonly body: (llm: Llm) => object;
  readonly read: (body: Body) => Llm;
  readonly loc: readonly string[];
  /** Makes conversations run on it. */
  readonly activate: boolean;
}

const PLACES: Readonly<Record<string, Place>> = {
  'settings of a user': {
    path: () => '/api/v1/settings',
    body: (llm) => ({ agent_settings_diff: { llm } }),
    read: (body) => body.agent_settings.llm,
    loc: ['body', 'agent_settings_diff', 'llm'],
    activate: false,
  },
  'a profile of a user': profileAt(() => '/api/v1/settings/profiles/A'),
  'a profile of an organization': profileAt(({ orgId }) => `/api/organizations/${orgId}/profiles/A`),
};

let doubled: DoubledService;
beforeAll(async () => {
  doubled = await DoubledService.start({ MAX_SANDBOXES: '1000', MAX_SANDBOXES_PER_ORG: '1000' });
});
afterAll(() => doubled.close());

const send = (as: TestCaller, method: string, path: string, body?: object) =>
  call<Body>(doubled.service.app, method, path, { key: as.key, ...(body && { body }) });
const newCaller = async () => {
  const { db } = doubled.service.app;
  return makeCaller(db, (await makeOrg(db)).id, 'owner');
};
const save = (as: TestCaller, { path, body }: Place, llm: Llm) =>
  send(as, 'POST', path(as), body({ model: 'a/b', ...llm }));
const read = async (as: TestCaller, { path, read: llmIn }: Place) =>
  llmIn((await send(as, 'GET', path(as))).body);
const llmOfStart = async (as: TestCaller): Promise<Llm> => (await doubled.askedToStart(as.key)).agent.llm;

describe.each(Object.entries(PLACES))('a model in %s', (_, place) => {
  it('is kept and answered with all that can be set about it, secrets hidden, and is what agents get', async () => {
    const as = await newCaller();
    const saved = await save(as, place, { ...OPTIONS, usage_id: 'mine' });
    expect(saved.status).toBe(200);
    const answered = await read(as, place);
    expect(answered).toMatchObject({ ...SHOWN, model: 'a/b', usage_id: 'mine' });
    if (place.activate) await send(as, 'POST', `${place.path(as)}/activate`, {});
    expect(await llmOfStart(as)).toEqual({ ...OPTIONS, model: 'a/b', usage_id: 'agent' });
    expect((await save(as, place, answered.api_key_set === undefined ? SHOWN : answered)).status).toBe(200);
    expect(await read(as, place)).toEqual(answered);
    expect(await llmOfStart(as)).toEqual({ ...OPTIONS, model: 'a/b', usage_id: 'agent' });
    const rows = await doubled.service.app.db.query<unknown[]>(
      'SELECT a::text FROM agent_settings a UNION ALL SELECT p::text FROM llm_profiles p',
    );
    const me = await send(as, 'GET', '/api/v1/users/me');
    expect(JSON.stringify([saved.body, answered, me.body, rows])).not.toContain(SECRET);
  });

  it('takes no field that is not kept, and says which it is', async () => {
    const as = await newCaller();
    const refused = await save(as, place, { temperatur: 1, fallback_strategy: {}, temperature: 0.1 });
    expect(refused.status).toBe(422);
    expect(refused.body.detail.map(({ loc, type }) => ({ loc, type }))).toEqual(
      ['temperatur', 'fallback_strategy'].map((name) => ({
        loc: [...place.loc, name],
        type: 'extra_forbidden',
      })),
    );
  });

  it.each<[string, Llm, string]>([
    ['a number as a text', { temperature: 'warm' }, 'float_parsing'],
    ['less than none', { num_retries: -1 }, 'greater_than_equal'],
    [
      'an endpoint with a password',
      { aws_bedrock_runtime_endpoint: 'https://a:b@example.com' },
      'value_error',
    ],
    ['an endpoint of another scheme', { ollama_base_url: 'file:///etc/passwd' }, 'value_error'],
    ['a region that would be another host', { aws_region_name: 'example.com/#' }, 'value_error'],
    ['a header that begins another one', { extra_headers: { 'X-A': 'a\r\nX-B: b' } }, 'value_error'],
    ['a header without a name', { extra_headers: { 'a b': 'c' } }, 'value_error'],
    [
      'a header that is for the connection',
      { extra_headers: { 'Transfer-Encoding': 'chunked' } },
      'value_error',
    ],
    ['a header for a proxy', { extra_headers: { 'proxy-authorization': 'Basic YTpi' } }, 'value_error'],
    ['headers that are too long', { extra_headers: { 'X-A': 'a'.repeat(16_384) } }, 'value_error'],
    ['a capability that is a number', { capability_overrides: { supports_vision: 1 } }, 'value_error'],
  ])('takes no %s', async (_name, llm, type) => {
    const refused = await save(await newCaller(), place, llm);
    expect([refused.status, refused.body.detail.map((fault) => fault.type)]).toEqual([422, [type]]);
    expect(JSON.stringify(refused.body)).not.toContain('input');
  });

  it('keeps what is absent, gives up what is null, and replaces headers one by one', async () => {
    const as = await newCaller();
    await save(as, place, { temperature: 1, seed: 1, timeout: 5, extra_headers: { A: SECRET, B: SECRET } });
    await save(as, place, { seed: null, timeout: null, extra_headers: { A: HIDDEN, C: 'new', D: HIDDEN } });
    if (place.activate) await send(as, 'POST', `${place.path(as)}/activate`, {});
    const given = { timeout: null, temperature: 1, extra_headers: { A: SECRET, C: 'new' } };
    expect(await llmOfStart(as)).toEqual({ model: 'a/b', usage_id: 'agent', stream: true, ...given });
  });

  it('takes its secrets to no other host', async () => {
    const as = await newCaller();
    if (place.activate) await save(as, place, {});
    if (place.activate) await send(as, 'POST', `${place.path(as)}/activate`, {});
    for (const name of ['base_url', 'aws_bedrock_runtime_endpoint', 'ollama_base_url']) {
      await save(as, place, {
        [name]: 'https://a.example.com/v1',
        extra_headers: { A: SECRET },
        api_key: SECRET,
      });
      await save(as, place, { [name]: 'https://a.example.com/v2', aws_session_token: SECRET });
      expect(await llmOfStart(as)).toMatchObject({
        api_key: SECRET,
        aws_session_token: SECRET,
        extra_headers: { A: SECRET },
      });
      await save(as, place, { [name]: 'https://b.example.com/v2', extra_headers: { A: HIDDEN, B: 'new' } });
      expect(await llmOfStart(as)).toMatchObject({ extra_headers: { B: 'new' } });
      expect(JSON.stringify(await llmOfStart(as))).not.toContain(SECRET);
    }
  });
});

describe('the connection that a model names', () => {
  it('gives it address and key, unless it has its own, and the key to no other provider', async () => {
    const as = await newCaller();
    const connections = `/api/organizations/${as.orgId}/provider-connections`;
    const given = { provider: 'other', base_url: 'https://other.example.com', api_key: SECRET };
    const { id } = (await send(as, 'POST', connections, given)).body;
    await send(as, 'POST', '/api/v1/settings', {
      agent_settings_diff: { llm: { model: 'a/b', provider_connection_id: id } },
    });
    expect(await llmOfStart(as)).toEqual({
      model: 'a/b',
      base_url: 'https://other.example.com',
      api_key: SECRET,
      stream: true,
      usage_id: 'agent',
    });
    await send(as, 'PATCH', `${connections}/${id}`, { base_url: null, api_key: SECRET });
    expect(await llmOfStart(as)).not.toHaveProperty('api_key');
    await send(as, 'POST', '/api/v1/settings', { llm_model: 'other/b' });
    expect(await llmOfStart(as)).toMatchObject({ api_key: SECRET });
    await send(as, 'POST', '/api/v1/settings', { llm_base_url: 'https://own.example.com' });
    expect(await llmOfStart(as)).not.toHaveProperty('api_key');
  });
});

function profileAt(path: Place['path']): Place {
  return { path, body: (llm) => ({ llm }), read: (body) => body.llm, loc: ['body', 'llm'], activate: true };
}
