import { randomUUID } from 'node:crypto';
import { startOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { ConversationClient } from '../../support/service/conversation-client';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody, type HttpResponse } from '../../support/service/http';

interface Policy extends ErrorBody {
  readonly allowed_models: readonly string[] | null;
  readonly updated_at: string | null;
}

interface Prices extends ErrorBody {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

interface Refusals extends ErrorBody {
  readonly since: string;
  readonly items: readonly { code: string; model: string; count: number }[];
}

const NOTHING_SET = {
  allowed_models: null,
  allowed_by_role: { member: null, admin: null, owner: null },
  max_output_tokens: null,
};

let doubled: DoubledService;
const app = () => doubled.service.app;
beforeAll(async () => {
  doubled = await DoubledService.start({
    LLM_MODEL: 'openai/gpt-5',
    LLM_ALLOWED_MODELS: 'openai/*, house/model',
    MODEL_PRICES: '{"house/*": {"input": 0.1, "output": 0.2}}',
    MAX_SANDBOXES: '1000',
    MAX_SANDBOXES_PER_ORG: '1000',
  });
});
afterAll(() => doubled.close());

async function newOrg() {
  const { id } = await makeOrg(app().db);
  const [member, admin, owner] = await Promise.all([
    makeCaller(app().db, id, 'member'),
    makeCaller(app().db, id, 'admin'),
    makeCaller(app().db, id, 'owner'),
  ]);
  const at = (name: string) => `/api/organizations/${id}/${name}`;
  const set = (body: unknown, caller: Pick<TestCaller, 'key'> = admin): Promise<HttpResponse<Policy>> =>
    call(app(), 'PUT', at('model-policy'), { key: caller.key, body });
  const read = async <Body = Policy>(name = 'model-policy', caller: Pick<TestCaller, 'key'> = member) =>
    (await call<Body>(app(), 'GET', at(name), { key: caller.key })).body;
  return { id, member, admin, owner, at, set, read };
}

const start = (caller: Pick<TestCaller, 'key'>, body: object = {}) =>
  call<ErrorBody>(app(), 'POST', '/api/v1/app-conversations', { key: caller.key, body });

const NOT_ALLOWED = { status: 403, body: { code: 'model_not_allowed' } };

describe('which models an organization may use', () => {
  it('is what the installation allows, until it is set', async () => {
    const org = await newOrg();
    expect(await org.read()).toEqual({
      ...NOTHING_SET,
      installation: { allowed_models: ['openai/*', 'house/model'] },
      updated_at: null,
    });
  });

  it('is set as a whole, and told once', async () => {
    const org = await newOrg();
    const first = await org.set({
      allowed_models: ['anthropic/*', ' gpt-5* ', 'anthropic/*'],
      allowed_by_role: { member: [] },
      max_output_tokens: 100,
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        allowed_models: ['anthropic/*', 'gpt-5*'],
        allowed_by_role: { member: [], admin: null, owner: null },
        max_output_tokens: 100,
      },
    });
    await org.set({ allowed_models: [], max_output_tokens: 100 });
    const again = await org.set({ allowed_models: [], max_output_tokens: 100 });
    expect(again.body).toMatchObject({ ...NOTHING_SET, allowed_models: [], max_output_tokens: 100 });
    expect((await org.set({})).body).toMatchObject(NOTHING_SET);
    const told = await app().db.query<{ fields: string[] }[]>(
      `SELECT event -> 'fields' AS fields FROM domain_events WHERE org_id = $1 AND kind = 'settings.updated' ORDER BY id`,
      [org.id],
    );
    expect(told.map(({ fields }) => fields)).toEqual([
      ['model_policy.allowed_models', 'model_policy.allowed_by_role', 'model_policy.max_output_tokens'],
      ['model_policy.allowed_models', 'model_policy.allowed_by_role'],
      ['model_policy.allowed_models', 'model_policy.max_output_tokens'],
    ]);
  });

  it.each([
    [{ allowed_models: 'openai/*' }],
    [{ allowed_models: [''] }],
    [{ allowed_models: [' '] }],
    [{ allowed_models: [null] }],
    [{ allowed_models: ['with space'] }],
    [{ allowed_models: ['zero\0'] }],
    [{ allowed_models: ['gpt-\u00fc'] }],
    [{ allowed_models: ['a'.repeat(256)] }],
    [{ allowed_models: Array.from({ length: 201 }, (_, i) => `m${i}`) }],
    [{ allowed_by_role: { guest: [] } }],
    [{ allowed_by_role: null }],
    [{ allowed_by_role: { member: ['\t'] } }],
    [{ max_output_tokens: 0 }],
    [{ max_output_tokens: 1.5 }],
    [{ max_output_tokens: 10_000_001 }],
    [{ allowed: [] }],
    [[]],
    ['*'],
    [null],
  ])('is not set to %j', async (body) => {
    const org = await newOrg();
    expect(await org.set(body)).toMatchObject({ status: 422 });
    expect((await org.read()).updated_at).toBeNull();
  });

  it('takes as many and as long patterns as may be', async () => {
    const org = await newOrg();
    const most = Array.from({ length: 200 }, (_, i) => `${i}/`.padEnd(255, 'x'));
    const body = { allowed_models: most, allowed_by_role: { member: most, admin: most, owner: most } };
    expect((await org.set(body)).body).toMatchObject(body);
  });

  it('is read by members, and set by admins and owners, of the organization alone', async () => {
    const org = await newOrg();
    const stranger = await makeCaller(app().db, (await makeOrg(app().db)).id, 'owner');
    for (const name of ['model-policy', 'model-prices', 'model-refusals']) {
      const statusOf = async (key?: string) =>
        (await call(app(), 'GET', org.at(name), { ...(key !== undefined && { key }) })).status;
      expect([name, await statusOf(org.member.key), await statusOf(stranger.key), await statusOf()]).toEqual([
        name,
        200,
        403,
        401,
      ]);
      const other = `/api/organizations/${randomUUID()}/${name}`;
      expect((await call(app(), 'GET', other, org.owner)).status).toBe(403);
    }
    const set = async (caller: Pick<TestCaller, 'key'>) => (await org.set({}, caller)).status;
    expect(await Promise.all([org.member, stranger, org.owner].map(set))).toEqual([403, 403, 200]);
    const scoped = await makeKey(app().db, org.owner.userId, { scopes: ['view_org_settings'] });
    expect(await set(scoped)).toBe(403);
    expect((await call(app(), 'GET', org.at('model-policy'), scoped)).status).toBe(200);
  });
});

describe('a conversation', () => {
  it('does not start with a model that is not allowed, whoever names it', async () => {
    const org = await newOrg();
    await org.set({ allowed_models: ['openai/gpt-5*'], allowed_by_role: { member: ['openai/gpt-5-mini'] } });
    const refused = await start(org.member);
    expect(refused).toMatchObject(NOT_ALLOWED);
    expect(refused.body.detail).toBe(
      'The model openai/gpt-5 is not allowed: the organization allows others only to the role member.',
    );
    expect((await start(org.admin)).status).toBe(200);
    expect(await start(org.admin, { llm_model: 'anthropic/claude-opus-5' })).toMatchObject(NOT_ALLOWED);
    expect((await start(org.member, { llm_model: 'gpt-5-mini' })).status).toBe(200);
    expect(await start(org.member, { llm_model: 'evil/gpt-5-mini' })).toMatchObject(NOT_ALLOWED);
  });

  it('does not start with a profile of its creator or an agent whose model is not allowed', async () => {
    const org = await newOrg();
    const own = {
      llm: { model: 'other/model', api_key: 'sk-of-mine', base_url: 'https://mine.example.com' },
    };
    const { key } = org.member;
    expect((await call(app(), 'POST', '/api/v1/settings/profiles/Mine', { key, body: own })).status).toBe(
      200,
    );
    expect((await start(org.member)).status).toBe(200);
    await call(app(), 'POST', '/api/v1/settings/profiles/Mine/activate', { key, body: {} });
    expect(await start(org.member)).toMatchObject(NOT_ALLOWED);
    await org.set({ allowed_models: ['other/*'] });
    expect((await start(org.member)).status).toBe(200);
  });

  it('starts with nothing where nothing is allowed, and says so', async () => {
    const org = await newOrg();
    await org.set({ allowed_models: [] });
    const { status, body } = await start(org.owner);
    expect([status, body.detail]).toEqual([
      403,
      'The model openai/gpt-5 is not allowed: the organization allows no model at all.',
    ]);
  });

  it('fails whose model is not allowed any more when its start goes on', async () => {
    const org = await newOrg();
    const id = randomUUID();
    doubled.holdStart(id);
    const client = new ConversationClient(app(), org.member.key);
    const { id: taskId } = await client.begin({ llm_model: 'house/model', conversation_id: id });
    await eventually(() => expect(doubled.double.arrived(startOf(id))).not.toEqual([]));
    await org.set({ allowed_models: ['openai/*'] });
    doubled.double.heal();
    const task = await client.ended(taskId);
    expect([task.status, task.detail]).toEqual([
      'ERROR',
      expect.stringContaining('The model house/model is not allowed'),
    ]);
  });

  it('changes to no model that is not allowed', async () => {
    const org = await newOrg();
    const { key } = org.member;
    for (const [name, model] of [
      ['Small', 'house/model'],
      ['Large', 'large/model'],
    ])
      await call(app(), 'POST', `/api/v1/settings/profiles/${name}`, { key, body: { llm: { model } } });
    const { id } = await doubled.conversation({ owner: org.member });
    const switchTo = (profile_name: string) =>
      call<ErrorBody>(app(), 'POST', `/api/v1/app-conversations/${id}/switch_profile`, {
        key,
        body: { profile_name },
      });
    expect(await switchTo('Large')).toMatchObject(NOT_ALLOWED);
    expect((await switchTo('Small')).body.code).not.toBe('model_not_allowed');
    const acp = await call(app(), 'POST', `/api/v1/app-conversations/${id}/switch_acp_model`, {
      key,
      body: { model: 'large/model' },
    });
    expect(acp).toMatchObject(NOT_ALLOWED);
  });
});

describe('what was refused', () => {
  it('is counted for a day, by code and model', async () => {
    const org = await newOrg();
    await org.set({ allowed_models: ['house/*'] });
    for (let i = 0; i < 3; i++) await start(org.member);
    await start(org.admin, { llm_model: 'x/y' });
    const body = await org.read<Refusals>('model-refusals');
    expect(body.items).toMatchObject([
      { code: 'model_not_allowed', model: 'openai/gpt-5', count: 3 },
      { code: 'model_not_allowed', model: 'x/y', count: 1 },
    ]);
    await app().db.query(
      `UPDATE model_refusals SET hour = hour - interval '25 hours', last_at = last_at - interval '25 hours' WHERE org_id = $1`,
      [org.id],
    );
    await start(org.member);
    expect((await org.read<Refusals>('model-refusals')).items).toMatchObject([{ count: 1 }]);
    const other = await newOrg();
    expect((await other.read<Refusals>('model-refusals')).items).toEqual([]);
  });

  it('has rows for hundreds of models, and one for all others', async () => {
    const org = await newOrg();
    await org.set({ allowed_models: [] });
    for (let i = 0; i < 210; i++) await start(org.member, { llm_model: `odd/${i}` });
    const { items } = await org.read<Refusals>('model-refusals');
    expect(items.length).toBeLessThanOrEqual(201);
    expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(210);
    expect(items[0]).toMatchObject({ model: '*' });
  });
});

describe('prices', () => {
  it('are those of the installation and those that come with the service', async () => {
    const org = await newOrg();
    const { items } = await org.read<Prices>('model-prices');
    expect(items[0]).toEqual({
      model: 'house/*',
      input: 0.1,
      output: 0.2,
      cache_read: 0.1,
      cache_write: 0.1,
      beyond: null,
      largest_output: null,
      source: 'setting',
      as_of: null,
      allowed: null,
    });
    expect(items.find(({ model }) => model === 'openai/gpt-5')).toMatchObject({
      input: 1.25,
      output: 10,
      cache_read: 0.125,
      source: 'built_in',
      allowed: true,
      as_of: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
    });
    expect(items.find(({ model }) => model === 'anthropic/claude-opus-5')).toMatchObject({ allowed: false });
  });

  it('are asked for one model, by its name', async () => {
    const org = await newOrg();
    const of = async (model: string) =>
      (await org.read<Prices>(`model-prices?model=${encodeURIComponent(model)}`)).items;
    expect(await of('gpt-5')).toMatchObject([{ model: 'openai/gpt-5' }]);
    expect(await of('house/anything')).toMatchObject([{ model: 'house/*', source: 'setting' }]);
    expect(await of('nobody/knows')).toEqual([]);
  });
});
