import { createServer } from 'node:net';
import { AgentServerClient } from '..';
import {
  json,
  listen,
  ScriptedAgentServer,
} from '../../../../test/support/agent-server/scripted-agent-server';

const KEY = 'session-key-1';
const CONVERSATION = '720860e7-e485-4395-ba7e-f71b5f082fcb';
const MESSAGE = '{"role":"user","content":[{"type":"text","text":"hi"}],"run":true}';

/** Longer than a busy machine pauses: the call has come to the server by then. */
const PATIENCE_MS = 4_000;

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

const send = (timeoutMs = 5_000, signal?: AbortSignal) =>
  client.sendMessage(server.target, CONVERSATION, MESSAGE, timeoutMs, { signal });

describe('sendMessage', () => {
  it('posts the body as it is, with the session key, and calls a 2xx delivered', async () => {
    server.respond = json(200, { success: true });
    expect(await send()).toEqual({ kind: 'delivered' });
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        url: `/api/conversations/${CONVERSATION}/events`,
        headers: { 'x-session-api-key': KEY, 'content-type': 'application/json' },
        body: MESSAGE,
      },
    ]);
  });

  it('reuses its connections', async () => {
    server.respond = json(200, { success: true });
    for (let i = 0; i < 20; i++) await send();
    // undici leaves a socket alone for one turn of the event loop after each response.
    expect(server.sockets.size).toBeLessThanOrEqual(2);
  });

  it.each([
    [404, { kind: 'not_found', reason: 'no' }],
    [409, { kind: 'conflict', reason: 'no' }],
    [429, { kind: 'stored', reason: 'Message saved, but the conversation run limit was reached.' }],
    [429, { kind: 'refused', status: 429, reason: 'no' }],
    [302, { kind: 'refused', status: 302, reason: 'no' }],
    [400, { kind: 'refused', status: 400, reason: 'no' }],
    [413, { kind: 'refused', status: 413, reason: 'no' }],
    [500, { kind: 'unknown', status: 500, reason: 'no' }],
    [503, { kind: 'unknown', status: 503, reason: 'no' }],
    [500, { kind: 'refused', status: 500, reason: 'Failed to fetch plugin from x' }],
    [500, { kind: 'refused', status: 500, reason: 'Only user messages are allowed' }],
  ])('classifies the response %i', async (status, outcome) => {
    server.respond = json(status, {
      detail: 'no',
      ...(outcome.reason === 'no' ? {} : { exception: outcome.reason }),
    });
    expect(await send()).toEqual(outcome);
  });

  it('gives place and message of a validation error, not what was sent', async () => {
    server.respond = json(422, {
      detail: [{ type: 'missing', loc: ['body', 'role'], msg: 'Field required', input: { text: 'private' } }],
    });
    expect(await send()).toEqual({ kind: 'refused', status: 422, reason: 'body.role: Field required' });
  });

  it('never repeats the session key', async () => {
    server.respond = json(400, { detail: `wrong key ${KEY}` });
    expect(await send()).toEqual({ kind: 'refused', status: 400, reason: 'wrong key **********' });
  });

  it('knows that nothing was sent when nobody listens', async () => {
    const gone = createServer();
    const baseUrl = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    const outcome = await client.sendMessage({ baseUrl, apiKey: KEY }, CONVERSATION, MESSAGE, 5_000);
    expect(outcome).toEqual({ kind: 'unavailable', reason: 'ECONNREFUSED' });
  });

  it('knows that nothing was sent when the connection was never made', async () => {
    const outcome = await client.sendMessage(
      { baseUrl: 'http://unknown.invalid', apiKey: KEY },
      CONVERSATION,
      MESSAGE,
      5_000,
    );
    expect(outcome.kind).toBe('unavailable');
  });

  it('does not know what became of a message after a time-out, and closes the connection', async () => {
    const closed = new Promise((resolve) => {
      server.respond = (_request, _response, socket) => socket.once('close', resolve);
    });
    expect(await send(PATIENCE_MS)).toEqual({ kind: 'unknown', status: null, reason: 'timeout' });
    await closed;
  });

  it('does not know what became of a message after a reset', async () => {
    server.respond = (_request, _response, socket) => socket.resetAndDestroy();
    expect(await send()).toMatchObject({ kind: 'unknown', status: null });
  });

  it('does not know what became of a message whose response breaks off', async () => {
    server.respond = (_request, response, socket) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"succ', () => socket.destroy());
    };
    expect(await send()).toMatchObject({ kind: 'unknown', status: null });
  });

  it('closes the connection when the caller aborts', async () => {
    const abort = new AbortController();
    const closed = new Promise((resolve) => {
      server.respond = (_request, _response, socket) => {
        socket.once('close', resolve);
        abort.abort();
      };
    });
    expect(await send(5_000, abort.signal)).toEqual({ kind: 'unknown', status: null, reason: 'aborted' });
    await closed;
  });

  it('sends nothing when the caller had aborted before', async () => {
    server.respond = json(200, { success: true });
    expect(await send(5_000, AbortSignal.abort())).toEqual({ kind: 'unavailable', reason: 'aborted' });
    expect(server.seen).toEqual([]);
  });

  it('survives the reset that follows an unhandled 500', async () => {
    server.respond = (_request, response, socket) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end('{"detail":"Internal Server Error","exception":"boom"}');
      setTimeout(() => socket.resetAndDestroy(), 5);
    };
    for (let i = 0; i < 20; i++) {
      expect(await send()).toEqual({ kind: 'unknown', status: 500, reason: 'boom' });
    }
  });

  it('is not misled by a server that never finishes the handshake of a connection', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined));
    const baseUrl = await listen(silent);
    const outcome = await client.sendMessage({ baseUrl, apiKey: KEY }, CONVERSATION, MESSAGE, PATIENCE_MS);
    expect(outcome).toEqual({ kind: 'unknown', status: null, reason: 'timeout' });
    silent.close();
  });
});
