import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { eventually } from '../support/eventually';
import { reply, ScriptedModel } from '../support/model/scripted-model';
import { saying } from '../support/queue/queued-messages';
import { ConversationService } from '../support/service/conversation-service';

const PATIENCE_MS = 90_000;

describe('a run of the real agent server', () => {
  let model: ScriptedModel;
  let service: ConversationService;

  beforeAll(async () => {
    const { command } = await ensureAgentServer();
    model = await ScriptedModel.start();
    service = await ConversationService.start(
      {
        SANDBOX_DRIVER: 'process',
        SANDBOX_ISOLATION: 'none',
        AGENT_SERVER_COMMAND: command,
        LLM_MODEL: 'openai/scripted',
        LLM_BASE_URL: model.baseUrl,
        LLM_API_KEY: 'scripted-model-key',
      },
      PATIENCE_MS,
    );
  });

  afterAll(async () => {
    await service.close();
    await model.stop();
  });

  const becomes = (id: string, status: string): Promise<void> =>
    eventually(async () => {
      expect((await service.record(id)).execution_status).toBe(status);
    }, PATIENCE_MS);

  it('is interrupted in the middle of a command, and then takes what waited for the end of its run', async () => {
    model.when('sleep', reply.terminal('sleep 240', 240), reply.text('Slept.'));
    const id = await service.ready({ initial_message: saying('sleep') });
    await becomes(id, 'running');
    await eventually(async () => {
      expect((await service.events(id)).map(({ kind }) => kind)).toContain('ActionEvent');
    }, PATIENCE_MS);
    const queue = `/api/v1/conversations/${id}/pending-messages`;
    const body = { ...saying('afterwards'), mode: 'after_run' };
    expect((await service.call('POST', queue, { body })).status).toBe(200);
    const waiting = await service.call<{ items: unknown[] }>('GET', queue);
    expect(waiting.body.items).toMatchObject([{ state: 'queued', mode: 'after_run' }]);
    const path = `/api/v1/app-conversations/${id}/interrupt`;
    const interrupted = await service.call('POST', path);
    expect(interrupted).toMatchObject({ status: 200, body: { success: true } });
    expect(await service.texts(id, 'user', 2)).toEqual(['sleep', 'afterwards']);
    await becomes(id, 'finished');
    await eventually(
      async () => expect((await service.events(id)).map(({ kind }) => kind)).toContain('InterruptEvent'),
      PATIENCE_MS,
    );
    expect(JSON.stringify(await service.texts(id, 'agent', 1))).not.toContain('Slept.');
    // Nothing runs any more.
    expect(await service.call('POST', path)).toMatchObject({ status: 200, body: { success: true } });
  });

  it('waits with a message for the run of the one before, which its server begins only after it has answered', async () => {
    model.when('slow', reply.terminal('sleep 3', 30), reply.text('Slow is done.'));
    const id = await service.ready();
    const queue = `/api/v1/conversations/${id}/pending-messages`;
    for (const words of ['slow one', 'slow two']) {
      const body = { ...saying(words), mode: 'after_run' };
      expect((await service.call('POST', queue, { body })).status).toBe(200);
    }
    expect(await service.texts(id, 'user', 2)).toEqual(['slow one', 'slow two']);
    await becomes(id, 'finished');
    await eventually(async () => {
      const spoken = (await service.events(id)).filter(({ kind }) => kind === 'MessageEvent');
      expect(spoken.map(({ source }) => source)).toEqual(['user', 'agent', 'user', 'agent']);
    }, PATIENCE_MS);
  });

  it('is woken by a message, and goes on with what it knew', async () => {
    const id = await service.ready({ initial_message: saying('before') });
    await becomes(id, 'finished');
    const { sandbox_id: sandboxId } = await service.record(id);
    expect((await service.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`)).status).toBe(200);
    const path = `/api/v1/app-conversations/${id}/send-message?wait=resume`;
    const sent = await service.call('POST', path, { body: saying('after the pause') });
    expect(sent).toMatchObject({ status: 202, body: { position: 1, sandbox_status: 'STARTING' } });
    expect(await service.texts(id, 'user', 2)).toEqual(['before', 'after the pause']);
    await eventually(async () => {
      expect((await service.texts(id, 'agent', 1)).at(-1)).toContain('after the pause');
    }, PATIENCE_MS);
  });
});
