import { eventually } from '../support/eventually';
import { freePort } from '../support/service/free-port';
import { RealAgentServer } from '../support/agent-server/real-agent-server';
import { ConversationService } from '../support/service/conversation-service';
import { reply, ScriptedModel } from '../support/model/scripted-model';
import { IS_OLDER, PATIENCE_MS } from './bench';

describe('one real agent server for several sandboxes', () => {
  let model: ScriptedModel;
  let server: RealAgentServer;
  let service: ConversationService;

  beforeAll(async () => {
    model = await ScriptedModel.start();
    const port = await freePort();
    server = await RealAgentServer.start({
      webhookUrl: `http://127.0.0.1:${port}/api/v1/webhooks`,
      environment: { OH_MAX_CONCURRENT_RUNS: '1' },
    });
    service = await ConversationService.start(
      {
        PORT: `${port}`,
        SANDBOX_DRIVER: 'external',
        EXTERNAL_ORG_ID: '*',
        AGENT_SERVER_URL: server.baseUrl,
        AGENT_SERVER_API_KEY: server.apiKey,
        LLM_MODEL: 'openai/scripted',
        LLM_BASE_URL: model.baseUrl,
        LLM_API_KEY: 'scripted-model-key',
      },
      PATIENCE_MS,
    );
  });

  afterAll(async () => {
    model.release();
    await service.close();
    await server.stop();
    await model.stop();
  });

  const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
  const becomes = (id: string, status: string): Promise<void> =>
    eventually(async () => {
      expect((await service.record(id)).execution_status).toBe(status);
    }, PATIENCE_MS);

  it('runs a conversation of each, and reports what their agents do', async () => {
    const ids = [
      await service.ready({ initial_message: text('one') }),
      await service.ready({ initial_message: text('two') }),
    ];
    for (const id of ids) await becomes(id, 'finished');
    const records = await Promise.all(ids.map((id) => service.record(id)));
    expect(new Set(records.map(({ sandbox_id }) => sandbox_id)).size).toBe(2);
    expect(await service.texts(ids[0] ?? '', 'agent', 1)).toEqual(['You said: one']);
    expect(await service.texts(ids[1] ?? '', 'agent', 1)).toEqual(['You said: two']);
    for (const id of ids)
      await eventually(async () => {
        expect((await service.record(id)).metrics.prompt_tokens).toBeGreaterThan(0);
      }, PATIENCE_MS);
  });

  it('gets messages and conversations while it runs as many agents as it may, each once', async () => {
    const waiting = await service.ready({});
    const busy = await service.ready({});
    model.when('hold on', reply.hang(reply.text('Done holding.')));
    const send = (id: string, words: string) =>
      service.call('POST', `/api/v1/app-conversations/${id}/send-message`, { body: text(words) });
    expect((await send(busy, 'hold on')).status).toBe(200);
    await eventually(() => expect(model.hanging).toBe(1), PATIENCE_MS);

    expect((await send(waiting, 'and me')).status).toBe(200);
    const queued = await service.call('POST', `/api/v1/conversations/${waiting}/pending-messages`, {
      body: text('me too'),
    });
    expect(queued.status).toBe(200);
    const task = await service.begin({ initial_message: text('new here') });
    expect(await service.texts(waiting, 'user', 2)).toEqual(['and me', 'me too']);
    if (!IS_OLDER) expect(await server.output()).toMatch(/events HTTP\/1\.1\\" 429/);

    model.release();
    for (const id of [busy, waiting]) await becomes(id, 'finished');
    const started = await service.ended(task.id);
    expect(started).toMatchObject({ status: 'READY' });
    await becomes(started.app_conversation_id ?? '', 'finished');
    expect(await service.texts(busy, 'agent', 1)).toEqual(['Done holding.']);
    expect((await service.texts(waiting, 'agent', 1)).at(-1)).toContain('me too');
    expect(await service.texts(waiting, 'user', 2)).toEqual(['and me', 'me too']);
    expect(await service.texts(started.app_conversation_id ?? '', 'user', 1)).toEqual(['new here']);
  });
});
