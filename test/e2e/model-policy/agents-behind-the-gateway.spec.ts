import { ModelKeys } from '../../../src/agents/gateway-access';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { StubAgentServer } from '../../support/agent-server/stub-agent-server';
import { DoorService } from '../../support/sandbox-access/door-service';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

const HOUSE_KEY = 'sk-of-the-installation';
const OWN_KEY = 'sk-of-a-member';
const ORG_KEY = 'sk-of-an-organization';

const ENV = {
  MODEL_GATEWAY: 'on',
  LLM_MODEL: 'openai/gpt-5',
  LLM_BASE_URL: 'https://models.example.com/v1',
  LLM_API_KEY: HOUSE_KEY,
};

describe('an agent, with the gateway on,', () => {
  let doubled: DoubledService;
  const app = () => doubled.service.app;
  beforeAll(async () => {
    doubled = await DoubledService.start({ ...ENV, CALLBACK_URL: 'https://service.example' });
  });
  afterAll(() => doubled.close());

  const newCaller = async () => makeCaller(app().db, (await makeOrg(app().db)).id, 'owner');
  const save = (key: string, path: string, body: object) => call(app(), 'POST', path, { key, body });

  it('is given the address of the gateway and the key of its conversation, and no other', async () => {
    const { key } = await newCaller();
    const asked = await doubled.askedToStart(key);
    const modelKey = app().app.get(ModelKeys).issue(asked.conversation_id);
    const reached = {
      model: 'openai/gpt-5',
      base_url: 'https://service.example/llm/v1',
      api_key: modelKey,
    };
    expect(asked.agent.llm).toEqual({ ...reached, usage_id: 'agent', stream: true });
    expect(asked.agent.condenser?.llm).toMatchObject({ ...reached, usage_id: 'condenser' });
    expect(JSON.stringify(asked)).not.toContain(HOUSE_KEY);
    expect(JSON.stringify(asked)).not.toContain('models.example.com');
  });

  it('is given nothing of what its creator or the organization log in with', async () => {
    const { key, orgId } = await newCaller();
    await save(key, '/api/v1/settings/profiles/Mine', {
      llm: {
        model: 'anthropic/claude-opus-5',
        base_url: 'https://mine.example.com',
        api_key: OWN_KEY,
        extra_headers: { 'X-Tenant': OWN_KEY },
        aws_secret_access_key: OWN_KEY,
        api_version: '2',
        temperature: 0.5,
      },
    });
    await save(key, '/api/v1/settings/profiles/Mine/activate', {});
    await save(key, `/api/organizations/${orgId}/provider-connections`, {
      provider: 'gemini',
      api_key: ORG_KEY,
    });
    const own = await doubled.askedToStart(key);
    expect(own.agent.llm).toEqual({
      model: 'anthropic/claude-opus-5',
      base_url: 'https://service.example/llm',
      api_key: app().app.get(ModelKeys).issue(own.conversation_id),
      temperature: 0.5,
      usage_id: 'agent',
      stream: true,
    });
    const org = await doubled.askedToStart(key, { llm_model: 'gemini/gemini-2.5-pro' });
    expect(org.agent.llm).toMatchObject({
      model: 'litellm_proxy/gemini/gemini-2.5-pro',
      base_url: 'https://service.example/llm/v1',
    });
    for (const secret of [OWN_KEY, ORG_KEY, HOUSE_KEY]) {
      expect(JSON.stringify(own)).not.toContain(secret);
      expect(JSON.stringify(org)).not.toContain(secret);
    }
  });

  it('changes to a profile as it starts with one', async () => {
    const caller = await newCaller();
    const server = await StubAgentServer.start();
    const { id } = await doubled.conversation({ owner: caller, sandbox: { baseUrl: server.url } });
    await save(caller.key, '/api/v1/settings/profiles/Fast', {
      llm: { model: 'mistral/fast', api_key: OWN_KEY },
    });
    const route = `POST /api/conversations/${id}/switch_llm`;
    server.answer(route, { success: true });
    const path = `/api/v1/app-conversations/${id}/switch_profile`;
    expect((await save(caller.key, path, { profile_name: 'Fast' })).status).toBe(200);
    const sent = JSON.parse(server.arrived(route).at(-1)?.body ?? '') as { llm: object };
    await server.close();
    expect(sent.llm).toMatchObject({
      model: 'litellm_proxy/mistral/fast',
      base_url: 'https://service.example/llm/v1',
      api_key: app().app.get(ModelKeys).issue(id),
    });
    expect(JSON.stringify(sent)).not.toContain(OWN_KEY);
  });
});

describe('through the door, with the gateway on,', () => {
  let service: DoorService;
  beforeAll(async () => {
    service = await DoorService.start(ENV);
  });
  afterAll(() => service.close());

  it('no agent server is given a model', async () => {
    const sandbox = await service.sandbox();
    const own = { llm: { model: 'openai/gpt-5', api_key: OWN_KEY } };
    const id = '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22';
    for (const headers of [{ 'X-Access-Token': service.owner.key }, { 'X-Session-API-Key': sandbox.key }]) {
      for (const [method, path] of [
        ['POST', '/api/conversations'],
        ['POST', `/api/conversations/${id}/switch_llm`],
        ['POST', `/api/conversations/${id}/switch_profile`],
        ['POST', `/api/conversations/${id}/%73witch_llm`],
        ['PATCH', '/api/settings'],
        ['POST', '/api/profiles/mine'],
        ['POST', '/api/llm/provider-connections'],
        ['POST', '/api/agent-profiles/mine'],
        ['POST', '/v1/chat/completions'],
      ] as const) {
        service.far.reset();
        const answer = await call<ErrorBody>(service.app, method, sandbox.door + path, {
          headers,
          body: own,
        });
        expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'model_gateway_only']);
      }
      const read = await call(service.app, 'GET', `${sandbox.door}/api/profiles`, { headers });
      expect(read.status).toBe(200);
      const run = await call(service.app, 'POST', `${sandbox.door}/api/conversations/${id}/run`, { headers });
      expect(run.status).toBe(200);
    }
  });

  it('strangers learn nothing of it', async () => {
    const sandbox = await service.sandbox();
    const path = `${sandbox.door}/api/conversations`;
    expect((await call(service.app, 'POST', path, { body: {} })).status).toBe(401);
    const stranger = await makeCaller(service.app.db, (await makeOrg(service.app.db)).id, 'owner');
    expect((await call(service.app, 'POST', path, { key: stranger.key, body: {} })).status).toBe(404);
  });

  it('keys of models are given to no sandbox', async () => {
    const sandbox = await service.sandbox();
    const { key } = service.owner;
    const body = { llm: { model: 'openai/gpt-5', api_key: OWN_KEY, extra_headers: { 'X-Tenant': OWN_KEY } } };
    await call(service.app, 'POST', '/api/v1/settings/profiles/Mine', { key, body });
    await call(service.app, 'POST', '/api/v1/settings/profiles/Mine/activate', { key, body: {} });
    const me = await call(service.app, 'GET', '/api/v1/users/me?expose_secrets=true', {
      key,
      headers: { 'X-Session-API-Key': sandbox.key },
    });
    expect(me).toMatchObject({
      status: 200,
      body: { llm_api_key: null, llm_profiles: { active: 'Mine', profiles: { Mine: { api_key: null } } } },
    });
    expect(JSON.stringify(me.body)).not.toContain(OWN_KEY);
  });
});
