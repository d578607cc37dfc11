import { join } from 'node:path';
import { ModelKeys } from '../../src/agents/gateway-access';
import { storySandboxes, type StorySandboxes } from '../support/agent-server/story-sandboxes';
import { StubProvider } from '../support/model-provider/stub-provider';
import { placesOf } from '../support/model-provider/secret-search';
import { ConversationService } from '../support/service/conversation-service';
import { eventually } from '../support/eventually';

const PATIENCE_MS = 90_000;
const PREPARATION_MS = 30 * 60_000;
const KEYS = {
  installation: 'sk-of-the-installation-0123456789',
  organization: 'sk-of-the-organization-0123456789',
  member: 'sk-of-the-member-0123456789',
};

describe('the real agent server behind the gateway', () => {
  let sandboxes: StorySandboxes;
  let provider: StubProvider;
  let service: ConversationService;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    sandboxes = await storySandboxes();
    closing.push(() => sandboxes.close());
    provider = await StubProvider.start();
    closing.push(() => provider.stop());
    service = await ConversationService.start(
      {
        ...sandboxes.env,
        MODEL_GATEWAY: 'on',
        MODEL_PRICES: '{"*":{"input":1,"output":10}}',
        LLM_MODEL: 'openai/test-model',
        LLM_BASE_URL: provider.baseUrl,
        LLM_API_KEY: KEYS.installation,
      },
      PATIENCE_MS,
    );
    closing.push(() => service.close());
    const save = async (path: string, model: string, api_key: string): Promise<void> => {
      const body = { llm: { model, base_url: provider.baseUrl, api_key } };
      expect((await service.call('POST', path, { body })).status).toBeLessThan(300);
    };
    const { orgId } = service.owner;
    await save(
      `/api/organizations/${orgId}/profiles/Theirs`,
      'anthropic/claude-sonnet-4-5',
      KEYS.organization,
    );
    await save('/api/v1/settings/profiles/Mine', 'gemini/gemini-2.5-pro', KEYS.member);
  }, PREPARATION_MS);

  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  it.each([
    ['openai/test-model', '/v1/chat/completions', 'test-model', 'installation'],
    ['anthropic/claude-sonnet-4-5', '/v1/messages', 'claude-sonnet-4-5', 'organization'],
    ['gemini/gemini-2.5-pro', '/v1/chat/completions', 'gemini-2.5-pro', 'member'],
  ] as const)(
    'calls %s with the key of its conversation, and the provider gets its own, which is nowhere in the sandbox',
    async (model, path, name, whose) => {
      provider.reset();
      const content = [{ type: 'text', text: 'Hello?' }];
      const task = await service.begin({ llm_model: model, title: 'Titled', initial_message: { content } });
      const ended = await service.ended(task.id);
      expect([ended.status, ended.detail]).toEqual(['READY', null]);
      const id = ended.app_conversation_id ?? '';
      await eventually(async () => {
        const { body } = await service.call('GET', `/api/v1/conversation/${id}/events/search`);
        expect(JSON.stringify(body)).toContain('Hello from the model.');
      }, PATIENCE_MS);
      const called = provider.calls.find(({ path: each }) => each === path);
      expect(called?.body['model']).toBe(name);
      expect(called?.headers[path === '/v1/messages' ? 'x-api-key' : 'authorization']).toContain(KEYS[whose]);
      expect(JSON.stringify(provider.calls)).not.toContain('ocs-llm-');
      await eventually(async () => {
        const rows = await service.app.db.query<Record<string, unknown>[]>(
          'SELECT DISTINCT model, status FROM model_calls WHERE conversation_id = $1',
          [id],
        );
        expect(rows).toEqual([{ model, status: 'ok' }]);
      });
      expect((await service.record(id)).metrics).toMatchObject({
        accumulated_cost: expect.any(Number) as number,
      });
      const folder = join(service.dataDir, 'sandboxes');
      const searched = { port: Number(new URL(service.app.url).port), folder };
      for (const key of Object.values(KEYS)) expect(await placesOf(key, searched)).toEqual([]);
      // What is looked for would be found.
      const ofIts = service.app.app.get(ModelKeys).issue(id);
      expect(await placesOf(ofIts, searched)).toContainEqual(expect.stringMatching(/^memory of/));
      expect(await placesOf(id.replaceAll('-', ''), searched)).toContain('files');
      expect(await placesOf('OH_WEBHOOKS_0_BASE_URL', searched)).toContainEqual(
        expect.stringMatching(/^environment of/),
      );
    },
  );
});
