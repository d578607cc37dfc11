import { codeOf, GatewayFixture } from '../../support/model-provider/gateway-fixture';
import { StubProvider } from '../../support/model-provider/stub-provider';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';

let gateway: GatewayFixture;
let other: StubProvider;
beforeAll(async () => {
  other = await StubProvider.start();
  gateway = await GatewayFixture.start({
    LLM_ALLOWED_HOSTS: other.host,
    MODEL_PRICES: JSON.stringify({ 'hosted_vllm/*': { input: 0, output: 0 }, '*': { input: 1, output: 10 } }),
  });
});
beforeEach(async () => {
  await gateway.reset();
  other.reset();
});
afterAll(async () => {
  await gateway.close();
  await other.stop();
});

/** A connection of the organization to which its creator links a model. */
async function linked(provider: string, model: string): Promise<void> {
  const { key, orgId } = gateway.owner;
  const made = await call<{ id: string }>(
    gateway.app,
    'POST',
    `/api/organizations/${orgId}/provider-connections`,
    { key, body: { provider, base_url: other.baseUrl, api_key: `sk-${provider}` } },
  );
  const saved = await call(gateway.app, 'POST', '/api/v1/settings', {
    key,
    body: { agent_settings_diff: { llm: { model, provider_connection_id: made.body.id } } },
  });
  expect([made.status, saved.status]).toEqual([201, 200]);
  await gateway.seen();
}

const asked = (): unknown[] => other.calls.map(({ headers, body }) => [headers.authorization, body['model']]);

describe('a connection that a member links to a model', () => {
  it('is not asked for models of other providers, by whose names they are allowed and priced', async () => {
    await linked('openai', 'hosted_vllm/x');
    for (const model of ['hosted_vllm/gpt-5-pro', 'hosted_vllm/x', 'ollama/gpt-5-pro'])
      expect(codeOf(await gateway.chat({ model }))).toBe('model_not_reachable');
    expect(asked()).toEqual([]);
    expect((await gateway.chat({ model: 'openai/gpt-5-pro' })).status).toBe(200);
    expect(asked()).toEqual([['Bearer sk-openai', 'gpt-5-pro']]);
  });

  it('is asked for those of all providers by their full names where it is one to a proxy', async () => {
    await linked('litellm_proxy', 'litellm_proxy/x');
    for (const model of ['litellm_proxy/x', 'hosted_vllm/gpt-5-pro', 'groq/y'])
      expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual(
      ['x', 'hosted_vllm/gpt-5-pro', 'groq/y'].map((model) => ['Bearer sk-litellm_proxy', model]),
    );
  });
});

it('an address for all models is asked for those of no provider but OpenAI without its name', async () => {
  const addressOnly = await GatewayFixture.start({ LLM_MODEL: '' });
  try {
    for (const model of ['openai/gpt-5', 'hosted_vllm/gpt-5'])
      expect((await addressOnly.chat({ model })).status).toBe(200);
    expect(addressOnly.provider.calls.map(({ body }) => body['model'])).toEqual([
      'gpt-5',
      'hosted_vllm/gpt-5',
    ]);
  } finally {
    await addressOnly.close();
  }
});

/** Chats of somebody in an organization of theirs, which has, or who has themselves, a place without a key. */
const chats = async (by: GatewayFixture, of: 'owner' | 'organization', llm: Record<string, string>) => {
  const { db } = by.app;
  const { key, orgId, ...caller } = await makeCaller(db, (await makeOrg(db)).id, 'owner');
  const place = of === 'owner' ? '/api/v1/settings' : `/api/organizations/${orgId}`;
  const saved = await call(by.app, 'POST', `${place}/profiles/Mine`, { key, body: { llm } });
  expect(saved.status).toBe(200);
  const authorization = `Bearer ${by.keyOf(await by.conversationOf({ key, orgId, ...caller }))}`;
  return () => by.chat({ model: llm['model'] }, { authorization });
};

it('what is asked of a place without a key holds for whoever has it alone', async () => {
  const llm = { model: 'openai/without-a-key', base_url: other.baseUrl };
  const [one, another] = [await chats(gateway, 'owner', llm), await chats(gateway, 'organization', llm)];
  other.next.push({ kind: 'status', status: 429, headers: { 'retry-after': '120' } });
  expect((await one()).status).toBe(429);
  expect(codeOf(await one())).toBe('provider_busy');
  expect((await another()).status).toBe(200);
  expect(other.calls).toHaveLength(2);
});

it("a member's own place without a key takes none of the installation's at the same address", async () => {
  const keyless = await GatewayFixture.start({ LLM_API_KEY: '', MODEL_GATEWAY_CALLS_PER_KEY: '1' });
  try {
    const llm = { model: 'openai/test-model', base_url: keyless.provider.baseUrl };
    const chat = await chats(keyless, 'owner', llm);
    keyless.provider.next.push({ kind: 'waits' });
    const waiting = chat();
    await eventually(() => expect(keyless.provider.open).toBe(1));
    expect((await keyless.chat()).status).toBe(200);
    keyless.provider.release();
    expect((await waiting).status).toBe(200);
  } finally {
    await keyless.close();
  }
});
