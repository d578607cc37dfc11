import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeKey, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { startTestApp } from '../../support/service/app';

interface Settings {
  agent_settings: { llm: { model: string | null; base_url: string | null }; condenser: object };
  conversation_settings: object;
  llm_model: string | null;
  llm_base_url: string | null;
  llm_api_key_set: boolean;
  language: string | null;
  disabled_skills: string[];
  user_consents_to_analytics: boolean;
}

const PATH = '/api/v1/settings';
const KEY = 'sk-a-key-of-a-user';

let doubled: DoubledService;
let owner: TestCaller;
const service = () => doubled.service;

beforeAll(async () => {
  doubled = await DoubledService.start({
    LLM_MODEL: 'house/model',
    LLM_BASE_URL: 'https://user:password@models.example.com/v1/?key=secret',
    LLM_API_KEY: 'key of the operator',
    MAX_SANDBOXES: '1000',
    MAX_SANDBOXES_PER_ORG: '1000',
  });
  owner = service().owner;
});
afterAll(() => doubled.close());

const read = (key: string, headers = {}) => call<Settings>(service().app, 'GET', PATH, { key, headers });
const save = (key: string, body: unknown, headers = {}) =>
  call<Settings & ErrorBody & { detail: { loc: string[]; type: string }[] }>(service().app, 'POST', PATH, {
    key,
    body,
    headers,
  });
const member = (orgId = owner.orgId) => makeCaller(service().app.db, orgId);

describe('GET /api/v1/settings', () => {
  it('answers the defaults of the installation, without its secrets, until others are saved', async () => {
    const { status, body } = await read((await member()).key);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      agent_settings: {
        agent_kind: 'openhands',
        llm: { model: 'house/model', base_url: 'https://models.example.com/v1' },
        condenser: { enabled: true, max_size: 240 },
      },
      conversation_settings: { confirmation_mode: false, security_analyzer: null, max_iterations: null },
      llm_model: 'house/model',
      llm_api_key_set: true,
      search_api_key_set: false,
      provider_tokens_set: {},
      language: null,
      disabled_skills: [],
      user_consents_to_analytics: false,
    });
    expect(JSON.stringify(body)).not.toMatch(/password|operator|secret/);
  });

  it.each([
    ['names no model', {}, false],
    ['names a model, which may need no key', { LLM_MODEL: 'local/model' }, true],
    ['has a built-in model', { SANDBOX_DRIVER: 'embedded' }, true],
  ])('says whether a key is there or needless: the installation %s', async (_, env, expected) => {
    const other = await startTestApp({
      env: { APP_ROLE: 'api', SANDBOX_DRIVER: 'external', AGENT_SERVER_URL: doubled.double.url, ...env },
      database: service().app.database,
    });
    try {
      const { key } = await member();
      expect((await call<Settings>(other, 'GET', PATH, { key })).body.llm_api_key_set).toBe(expected);
      const own = { agent_settings_diff: { llm: { model: 'openai/gpt-5', api_key: KEY } } };
      expect((await call<Settings>(other, 'POST', PATH, { key, body: own })).body.llm_api_key_set).toBe(true);
    } finally {
      await other.close();
    }
  });
});

describe('POST /api/v1/settings', () => {
  it('writes what is named, takes away what is null, and leaves the rest', async () => {
    const { key } = await member();
    const first = await save(key, {
      agent_settings_diff: { llm: { model: 'openai/gpt-5', api_key: KEY }, condenser: { enabled: true } },
      conversation_settings_diff: { confirmation_mode: true, security_analyzer: 'llm', max_iterations: 50 },
      language: 'de',
      disabled_skills: ['lint'],
      git_user_name: 'Robin',
      user_consents_to_analytics: true,
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        agent_settings: { llm: { model: 'openai/gpt-5' }, condenser: { enabled: true, max_size: 240 } },
        conversation_settings: { confirmation_mode: true, security_analyzer: 'llm', max_iterations: 50 },
        language: 'de',
        disabled_skills: ['lint'],
        git_user_name: 'Robin',
        user_consents_to_analytics: true,
      },
    });
    expect((await save(key, {})).body).toEqual(first.body);
    const second = await save(key, {
      agent_settings_diff: { llm: { model: null } },
      conversation_settings_diff: { max_iterations: null },
      language: null,
      disabled_skills: null,
    });
    expect(second.body).toMatchObject({
      llm_model: 'house/model',
      conversation_settings: { confirmation_mode: true, max_iterations: null },
      language: null,
      disabled_skills: [],
      git_user_name: 'Robin',
    });
    expect((await read(key)).body).toEqual(second.body);
  });

  it('takes values outside of the diffs too; one inside counts more', async () => {
    const { key } = await member();
    const flat = await save(key, { llm_model: 'a/b', confirmation_mode: true, condenser_max_size: 100 });
    expect(flat.body).toMatchObject({
      agent_settings: { llm: { model: 'a/b' }, condenser: { max_size: 100 } },
      conversation_settings: { confirmation_mode: true },
    });
    const both = await save(key, { llm_model: 'a/b', agent_settings_diff: { llm: { model: 'c/d' } } });
    expect(both.body.llm_model).toBe('c/d');
  });

  it.each([
    ['a model that is too long', { llm_model: 'm'.repeat(256) }, 'string_too_long'],
    ['an address of another scheme', { llm_base_url: 'ftp://models.example.com' }, 'value_error'],
    ['an address with a password', { llm_base_url: 'https://a:b@models.example.com' }, 'value_error'],
    [
      'an address that is none as it is kept',
      { llm_base_url: 'https://models.example.com\0' },
      'value_error',
    ],
    ['a key with a line break', { agent_settings_diff: { llm: { api_key: 'a\nb' } } }, 'value_error'],
    ['a key that is too long', { llm_api_key: 'k'.repeat(4_097) }, 'string_too_long'],
    ['an unknown analyzer', { security_analyzer: 'other' }, 'enum'],
    ['no steps', { conversation_settings_diff: { max_iterations: 0 } }, 'greater_than_equal'],
    ['too small a condenser', { agent_settings_diff: { condenser: { max_size: 19 } } }, 'greater_than_equal'],
    ['an agent of another kind', { agent_settings_diff: { agent_kind: 'acp' } }, 'literal_error'],
    ['too many skills', { disabled_skills: Array(201).fill('a') }, 'too_long'],
  ])('refuses %s, and writes nothing', async (_, body, type) => {
    const { key } = await member();
    const refused = await save(key, { language: 'fr', ...body });
    expect([refused.status, refused.body.detail.map((fault) => fault.type)]).toEqual([422, [type]]);
    expect(JSON.stringify(refused.body)).not.toContain('input');
    expect((await read(key)).body.language).toBeNull();
  });

  it('with a bound key holds in its organization only; with an unbound one wherever nothing else does', async () => {
    const { db } = service().app;
    const other = await makeOrg(db);
    const user = await makeMember(db, owner.orgId);
    await makeMember(db, other.id, 'member', user);
    const [unbound, bound] = [await makeKey(db, user.id), await makeKey(db, user.id, { orgId: other.id })];
    await save(unbound.key, { language: 'de', llm_model: 'a/b', llm_api_key: KEY });
    await save(bound.key, { llm_model: 'c/d' });
    const inOther = { 'X-Org-Id': other.id };
    expect((await read(unbound.key)).body).toMatchObject({ language: 'de', llm_model: 'a/b' });
    expect((await read(unbound.key, inOther)).body).toMatchObject({ language: 'de', llm_model: 'c/d' });
    expect((await read(bound.key)).body).toMatchObject({ language: 'de', llm_model: 'c/d' });
    await save(unbound.key, { language: 'fr' });
    expect((await read(bound.key)).body.language).toBe('de');
    await db.query('DELETE FROM org_members WHERE org_id = $1 AND user_id = $2', [other.id, user.id]);
    const left = await db.query<unknown[]>('SELECT 1 FROM agent_settings WHERE user_id = $1', [user.id]);
    expect(left).toHaveLength(1);
  });

  it('keeps the key encrypted, answers it nowhere, and takes none along to another host', async () => {
    const { key, userId } = await member();
    const saved = await save(key, { llm_base_url: 'https://a.example.com/v1', llm_api_key: KEY });
    const me = await call(service().app, 'GET', '/api/v1/users/me', { key });
    const rows = await service().app.db.query<{ sealed_llm_api_key: string | null }[]>(
      'SELECT * FROM agent_settings WHERE user_id = $1',
      [userId],
    );
    expect(JSON.stringify([saved.body, (await read(key)).body, me.body, rows])).not.toContain(KEY);
    expect(me.body).toMatchObject({ llm_base_url: 'https://a.example.com/v1', llm_api_key: null });
    const keyOfStart = async () => (await doubled.askedToStart(key)).agent.llm.api_key;
    expect(await keyOfStart()).toBe(KEY);
    await save(key, { llm_base_url: 'https://a.example.com/v2' });
    expect(await keyOfStart()).toBe(KEY);
    await save(key, { llm_base_url: 'https://b.example.com/v1' });
    expect(await keyOfStart()).toBeUndefined();
  });

  it('lets changes at once all count', async () => {
    const { key } = await member();
    const changes = [
      { language: 'de' },
      { git_user_name: 'Robin' },
      { llm_model: 'a/b' },
      { disabled_skills: ['x'] },
    ];
    await Promise.all(changes.map((change) => save(key, change)));
    expect((await read(key)).body).toMatchObject(Object.assign({}, ...changes) as object);
  });
});

describe('a conversation', () => {
  it('runs on what its creator has set, the request before that, the installation behind', async () => {
    const { key } = await member();
    const house = {
      base_url: 'https://user:password@models.example.com/v1/?key=secret',
      api_key: 'key of the operator',
    };
    expect((await doubled.askedToStart(key)).agent).toMatchObject({
      llm: { model: 'house/model', ...house },
    });
    await save(key, { llm_model: 'own/model' });
    expect((await doubled.askedToStart(key)).agent).toMatchObject({ llm: { model: 'own/model', ...house } });
    await save(key, { llm_base_url: 'https://own.example.com' });
    const own = (await doubled.askedToStart(key, { llm_model: 'asked/model' })).agent;
    expect(own.llm).toEqual({
      model: 'asked/model',
      base_url: 'https://own.example.com',
      usage_id: 'agent',
      stream: true,
    });
  });

  it('writes its answers word by word, but no summaries, unless that is turned off', async () => {
    const { key } = await member();
    const streams = async () => {
      const { llm, condenser } = (await doubled.askedToStart(key)).agent;
      return [llm.stream, condenser?.llm.stream];
    };
    expect(await streams()).toEqual([true, false]);
    await save(key, { agent_settings_diff: { llm: { stream: false } } });
    expect(await streams()).toEqual([false, false]);
  });

  it('is told of steps and confirmation where they are set, and of the condenser unless it is turned off', async () => {
    const { key } = await member();
    const plain = await doubled.askedToStart(key);
    expect(Object.keys(plain).filter((name) => /confirmation|security|iterations/.test(name))).toEqual([]);
    expect(plain.agent).toMatchObject({ condenser: { kind: 'LLMSummarizingCondenser', max_size: 240 } });
    await save(key, {
      conversation_settings_diff: { confirmation_mode: true, max_iterations: 7 },
      agent_settings_diff: { condenser: { enabled: true, max_size: 50 } },
    });
    expect(await doubled.askedToStart(key)).toMatchObject({
      max_iterations: 7,
      confirmation_policy: { kind: 'AlwaysConfirm' },
      agent: {
        condenser: {
          kind: 'LLMSummarizingCondenser',
          max_size: 50,
          llm: { model: 'house/model', usage_id: 'condenser' },
        },
      },
    });
    await save(key, { security_analyzer: 'llm', enable_default_condenser: false });
    expect(await doubled.askedToStart(key)).toMatchObject({
      confirmation_policy: { kind: 'ConfirmRisky' },
      security_analyzer: { kind: 'LLMSecurityAnalyzer' },
    });
    expect((await doubled.askedToStart(key)).agent).not.toHaveProperty('condenser');
  });
});

describe('GET /api/v1/settings/agent-schema and conversation-schema', () => {
  it('describe forms whose fields are all taken and answered', async () => {
    const { key } = await member();
    const schema = async (name: string) =>
      (
        await call<{ sections: { key: string; fields: { key: string; choices: []; depends_on: [] }[] }[] }>(
          service().app,
          'GET',
          `${PATH}/${name}`,
          { key },
        )
      ).body.sections;
    const agent = await schema('agent-schema');
    expect(agent.map((section) => section.key)).toEqual(['llm', 'condenser']);
    const conversation = await schema('conversation-schema');
    expect(conversation.map((section) => section.key)).toEqual(['verification', 'general']);
    const names = [...agent, ...conversation].flatMap(({ fields }) => fields.map((field) => field.key));
    const ofModels = names.filter((name) => /^llm\.(?!api_key$|base_url$|model$)/.test(name));
    const { body } = await save(key, {
      agent_settings_diff: { llm: Object.fromEntries(ofModels.map((name) => [name.slice(4), null])) },
    });
    expect(body.agent_settings).toBeDefined();
    expect(ofModels).toContain('llm.temperature');
    expect(names.filter((name) => !ofModels.includes(name)).sort()).toEqual([
      'condenser.enabled',
      'condenser.max_size',
      'confirmation_mode',
      'llm.api_key',
      'llm.base_url',
      'llm.model',
      'max_iterations',
      'security_analyzer',
    ]);
  });
});
