import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { eventually } from '../support/eventually';
import { ScriptedModel } from '../support/model/scripted-model';
import { begin, TestSocket, whole } from '../support/sandbox-access/door-calls';
import { talkAsClient } from '../support/sandbox-access/talk-as-client';
import { ConversationService } from '../support/service/conversation-service';

const PATIENCE_MS = 90_000;

describe('the real agent server behind the door', () => {
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
        SANDBOX_ACCESS: 'door',
      },
      PATIENCE_MS,
    );
  });

  afterAll(async () => {
    await service.close();
    await model.stop();
  });

  const here = (address: string | null): string => {
    const { pathname } = new URL(address ?? '');
    return service.app.url + pathname;
  };

  it('is used by existing clients unchanged, over REST and WebSocket, by either key', async () => {
    const { conversation_url: url, session_api_key: key } = await service.record(await service.ready());
    expect(url).toContain('/agent-server/api/conversations/');
    await talkAsClient(here(url), key ?? '');
    await talkAsClient(here(url), service.owner.key);
  });

  it('takes files and gives them back, and says why a WebSocket ends with a pause', async () => {
    const id = await service.ready();
    const { conversation_url: url, session_api_key: key, sandbox_id: sandboxId } = await service.record(id);
    const base = here(url).split('/api/conversations')[0] ?? '';
    const headers = { 'X-Session-API-Key': key ?? '' };
    const form = new FormData();
    const bytes = new Uint8Array(3_000_000).map((_, i) => i % 251);
    form.set('file', new Blob([bytes]), 'large.bin');
    const path = encodeURIComponent(join(tmpdir(), `door-${id}.bin`));
    const upload = await fetch(`${base}/api/file/upload?path=${path}`, {
      method: 'POST',
      headers,
      body: form,
    });
    expect(upload.status).toBe(200);
    const download = await fetch(`${base}/api/file/download?path=${path}`, { headers });
    expect(Buffer.from(await download.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);

    const client = await TestSocket.open(`${base.replace('http', 'ws')}/sockets/events/${id}`, headers);
    await service.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`);
    expect((await client.closed).code).toBe(4009);
    const refused = begin(`${base}/server_info`, { headers });
    refused.end();
    expect((await whole(refused)).status).toBe(409);
    await eventually(async () => {
      expect((await service.record(id)).sandbox_status).toBe('PAUSED');
    }, PATIENCE_MS);
  });
});
