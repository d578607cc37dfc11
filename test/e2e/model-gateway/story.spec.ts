import { join } from 'node:path';
import { ModelKeys } from '../../../src/agents/gateway-access';
import { StubProvider } from '../../support/model-provider/stub-provider';
import { placesOf } from '../../support/model-provider/secret-search';
import { ConversationService } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';

const KEY = 'sk-of-the-installation-0123456789';

it('a conversation reaches its model through the gateway, and its sandbox never has the key', async () => {
  const provider = await StubProvider.start();
  const service = await ConversationService.start({
    MODEL_GATEWAY: 'on',
    MODEL_PRICES: '{"*":{"input":1,"output":10}}',
    LLM_MODEL: 'openai/test-model',
    LLM_BASE_URL: provider.baseUrl,
    LLM_API_KEY: KEY,
  });
  try {
    const content = [{ type: 'text', text: 'Hello?' }];
    const task = await service.begin({ initial_message: { content } });
    const id = (await service.ended(task.id)).app_conversation_id ?? '';
    await eventually(() => expect(provider.calls).toHaveLength(1), 60_000);
    expect(provider.calls[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'test-model' },
    });
    await eventually(async () => {
      const { body } = await service.call('GET', `/api/v1/conversation/${id}/events/search`);
      expect(JSON.stringify(body)).toContain('Hello from the model.');
    });
    const rows = await eventually(async () => {
      const found = await service.app.db.query<Record<string, unknown>[]>(
        'SELECT conversation_id, model, status, prompt_tokens::integer FROM model_calls',
      );
      expect(found).toHaveLength(1);
      expect(found[0]?.['status']).toBe('ok');
      return found;
    });
    expect(rows[0]).toMatchObject({ conversation_id: id, model: 'openai/test-model', prompt_tokens: 20 });

    const searched = {
      port: Number(new URL(service.app.url).port),
      folder: join(service.dataDir, 'sandboxes'),
    };
    expect(await placesOf(KEY, searched)).toEqual([]);
    // What is looked for would be found.
    const { sandbox_id: sandboxId } = await service.record(id);
    const memory = expect.stringMatching(/^memory of/) as string;
    expect(await placesOf(service.app.app.get(ModelKeys).issue(id), searched)).toContainEqual(memory);
    expect(await placesOf(sandboxId, searched)).toContain('files');
    expect(await placesOf('/api/v1/webhooks', searched)).toContainEqual(
      expect.stringMatching(/^environment of/),
    );
    const { body } = await service.call('GET', `/api/v1/conversation/${id}/events/search`);
    expect(JSON.stringify(body)).not.toContain('ocs-llm-');
  } finally {
    await service.close();
    await provider.stop();
  }
});
