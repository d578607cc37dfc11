import {
  AgentServerBusyError,
  AgentServerClient,
  AgentServerFailedError,
  AgentServerRefusedError,
  AgentServerUnavailableError,
} from '..';
import { json, ScriptedAgentServer } from '../../../../test/support/agent-server/scripted-agent-server';

const KEY = 'session-key-1';
const CONVERSATION = '720860e7-e485-4395-ba7e-f71b5f082fcb';

let client: AgentServerClient;
let server: ScriptedAgentServer;

beforeEach(async () => {
  client = new AgentServerClient();
  server = await ScriptedAgentServer.start(KEY);
});

afterEach(async () => {
  await client.onApplicationShutdown();
  await server.close();
});

describe('calls', () => {
  it('throw without a response, and say whether the request may have arrived', async () => {
    server.respond = (_request, _response, socket) => socket.resetAndDestroy();
    const failing = client.events.count(server.target, CONVERSATION);
    await expect(failing).rejects.toBeInstanceOf(AgentServerUnavailableError);
    await expect(failing).rejects.toMatchObject({ mayHaveArrived: true, status: 503 });
  });

  it('throw what a 4xx and a 5xx say, apart from their public sentence', async () => {
    server.respond = json(401, { detail: 'Unauthorized' });
    await expect(client.probes.serverInfo(server.target)).rejects.toBeInstanceOf(AgentServerRefusedError);
    server.respond = json(500, { detail: 'Internal Server Error', exception: 'secret thing' });
    const failing = client.probes.serverInfo(server.target);
    await expect(failing).rejects.toMatchObject({ reason: 'secret thing', responseStatus: 500 });
    await expect(failing).rejects.toThrow('The agent server failed with status 500.');
  });

  it('throw for a 429 what tells it from a refusal', async () => {
    server.respond = json(429, { detail: 'Conversation run limit reached. Retry the request later.' });
    const failing = client.startConversation(server.target, {});
    await expect(failing).rejects.toBeInstanceOf(AgentServerBusyError);
    await expect(failing).rejects.toMatchObject({ status: 503, code: 'agent_server_unavailable' });
  });

  it('throw for a response that is not the protocol', async () => {
    server.respond = (_request, response) => response.end('<html>');
    await expect(client.events.count(server.target, CONVERSATION)).rejects.toBeInstanceOf(
      AgentServerFailedError,
    );
  });

  it('keep the path that an address has', async () => {
    server.respond = json(200, 3);
    const nested = { ...server.target, baseUrl: `${server.target.baseUrl}/agents/7/` };
    expect(await client.events.count(nested, CONVERSATION)).toBe(3);
    expect(server.seen[0]?.url).toBe(`/agents/7/api/conversations/${CONVERSATION}/events/count`);
  });

  it('distinguish a new conversation from one that existed', async () => {
    server.respond = json(201, { id: CONVERSATION, execution_status: 'idle', extra: 1 });
    expect(await client.startConversation(server.target, { a: 1 })).toMatchObject({
      created: true,
      info: { id: CONVERSATION, extra: 1 },
    });
    server.respond = json(200, { id: CONVERSATION });
    expect(await client.startConversation(server.target, {})).toMatchObject({ created: false });
  });

  it.each([
    ['1.43.1', json(400, { detail: 'Bad Request' }), json(200, { success: false })],
    ['1.58.2', json(404, { detail: 'Not Found' }), json(404, { detail: 'Not Found' })],
  ])('read how %s does not know a conversation', async (_version, ofActions, ofChanges) => {
    server.respond = ofActions;
    expect(await client.deleteConversation(server.target, CONVERSATION)).toBe(false);
    expect(await client.pause(server.target, CONVERSATION)).toBe(false);
    expect(await client.interrupt(server.target, CONVERSATION)).toBe(false);
    server.respond = ofChanges;
    expect(await client.patchConversation(server.target, CONVERSATION, { title: 'x' })).toBe(false);
  });

  it('run a command', async () => {
    server.respond = json(200, { exit_code: 3, stdout: 'hi\n', stderr: null, kind: 'BashOutput' });
    const result = await client.workspace.executeBash(server.target, {
      command: 'x',
      cwd: '/p',
      timeoutSeconds: 5,
    });
    expect(result).toEqual({ exitCode: 3, stdout: 'hi\n', stderr: '' });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ command: 'x', cwd: '/p', timeout: 5 });
  });

  it('see health as a response, and nothing else as health', async () => {
    server.respond = json(200, { status: 'ok' });
    expect(await client.probes.health(server.target)).toBe(true);
    server.respond = json(503, {});
    expect(await client.probes.health(server.target)).toBe(false);
    server.respond = () => undefined;
    expect(await client.probes.health(server.target, { timeoutMs: 50 })).toBe(false);
    expect(await client.probes.health({ baseUrl: 'ftp://x', apiKey: '' })).toBe(false);
  });
});
