import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import {
  AgentServerClient,
  type AgentServer,
  AgentServerFailedError,
  AgentServerRefusedError,
  AgentServerUnavailableError,
  EventMarkUnknownError,
} from '..';

const KEY = 'session-key-1';
const CONVERSATION = '720860e7-e485-4395-ba7e-f71b5f082fcb';
const MESSAGE = '{"role":"user","content":[{"type":"text","text":"hi"}],"run":true}';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

let client: AgentServerClient;
let server: Server;
let target: AgentServer;
let seen: Seen[];
let sockets: Set<Socket>;
let respond: (request: Seen, response: ServerResponse, socket: Socket) => void;

beforeEach(async () => {
  client = new AgentServerClient();
  seen = [];
  sockets = new Set();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      respond(one, response, request.socket);
    });
  });
  server.on('connection', (socket) => sockets.add(socket));
  target = { baseUrl: await listen(server), apiKey: KEY };
});

afterEach(async () => {
  await client.onApplicationShutdown();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

const send = (timeoutMs = 5_000, signal?: AbortSignal) =>
  client.sendMessage(target, CONVERSATION, MESSAGE, timeoutMs, { signal });

describe('sendMessage', () => {
  it('posts the body as it is, with the session key, and calls a 2xx delivered', async () => {
    respond = json(200, { success: true });
    expect(await send()).toEqual({ kind: 'delivered' });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: `/api/conversations/${CONVERSATION}/events`,
        headers: { 'x-session-api-key': KEY, 'content-type': 'application/json' },
        body: MESSAGE,
      },
    ]);
  });

  it('reuses its connections', async () => {
    respond = json(200, { success: true });
    for (let i = 0; i < 20; i++) await send();
    // undici leaves a socket alone for one turn of the event loop after each response.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it.each([
    [404, { kind: 'not_found', reason: 'no' }],
    [409, { kind: 'conflict', reason: 'no' }],
    [302, { kind: 'refused', status: 302, reason: 'no' }],
    [400, { kind: 'refused', status: 400, reason: 'no' }],
    [413, { kind: 'refused', status: 413, reason: 'no' }],
    [500, { kind: 'unknown', status: 500, reason: 'no' }],
    [503, { kind: 'unknown', status: 503, reason: 'no' }],
    [500, { kind: 'refused', status: 500, reason: 'Failed to fetch plugin from x' }],
    [500, { kind: 'refused', status: 500, reason: 'Only user messages are allowed' }],
  ])('classifies the response %i', async (status, outcome) => {
    respond = json(status, {
      detail: 'no',
      ...(outcome.reason === 'no' ? {} : { exception: outcome.reason }),
    });
    expect(await send()).toEqual(outcome);
  });

  it('gives place and message of a validation fault, not what was sent', async () => {
    respond = json(422, {
      detail: [{ type: 'missing', loc: ['body', 'role'], msg: 'Field required', input: { text: 'private' } }],
    });
    expect(await send()).toEqual({ kind: 'refused', status: 422, reason: 'body.role: Field required' });
  });

  it('never repeats the session key', async () => {
    respond = json(400, { detail: `wrong key ${KEY}` });
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
      respond = (_request, _response, socket) => socket.once('close', resolve);
    });
    expect(await send(100)).toEqual({ kind: 'unknown', status: null, reason: 'timeout' });
    await closed;
  });

  it('does not know what became of a message after a reset', async () => {
    respond = (_request, _response, socket) => socket.resetAndDestroy();
    expect(await send()).toMatchObject({ kind: 'unknown', status: null });
  });

  it('does not know what became of a message whose response breaks off', async () => {
    respond = (_request, response, socket) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"succ', () => socket.destroy());
    };
    expect(await send()).toMatchObject({ kind: 'unknown', status: null });
  });

  it('closes the connection when the caller aborts', async () => {
    const abort = new AbortController();
    const closed = new Promise((resolve) => {
      respond = (_request, _response, socket) => {
        socket.once('close', resolve);
        abort.abort();
      };
    });
    expect(await send(5_000, abort.signal)).toEqual({ kind: 'unknown', status: null, reason: 'aborted' });
    await closed;
  });

  it('sends nothing when the caller had aborted before', async () => {
    respond = json(200, { success: true });
    expect(await send(5_000, AbortSignal.abort())).toEqual({ kind: 'unavailable', reason: 'aborted' });
    expect(seen).toEqual([]);
  });

  it('survives the reset that follows an unhandled 500', async () => {
    respond = (_request, response, socket) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end('{"detail":"Internal Server Error","exception":"boom"}');
      setTimeout(() => socket.resetAndDestroy(), 5);
    };
    for (let i = 0; i < 20; i++) {
      expect(await send()).toEqual({ kind: 'unknown', status: 500, reason: 'boom' });
    }
  });

  it('is not misled by a server that never finishes the handshake of a connection', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined));
    const baseUrl = await listen(silent);
    const outcome = await client.sendMessage({ baseUrl, apiKey: KEY }, CONVERSATION, MESSAGE, 100);
    expect(outcome).toEqual({ kind: 'unknown', status: null, reason: 'timeout' });
    silent.close();
  });
});

describe('calls', () => {
  it('throw without a response, and say whether the request may have arrived', async () => {
    respond = (_request, _response, socket) => socket.resetAndDestroy();
    const failing = client.events.count(target, CONVERSATION);
    await expect(failing).rejects.toBeInstanceOf(AgentServerUnavailableError);
    await expect(failing).rejects.toMatchObject({ mayHaveArrived: true, status: 503 });
  });

  it('throw what a 4xx and a 5xx say, apart from their public sentence', async () => {
    respond = json(401, { detail: 'Unauthorized' });
    await expect(client.serverInfo(target)).rejects.toBeInstanceOf(AgentServerRefusedError);
    respond = json(500, { detail: 'Internal Server Error', exception: 'secret thing' });
    const failing = client.serverInfo(target);
    await expect(failing).rejects.toMatchObject({ reason: 'secret thing', responseStatus: 500 });
    await expect(failing).rejects.toThrow('The agent server failed with status 500.');
  });

  it('throw for a response that is not the protocol', async () => {
    respond = (_request, response) => response.end('<html>');
    await expect(client.events.count(target, CONVERSATION)).rejects.toBeInstanceOf(AgentServerFailedError);
  });

  it('keep the path that an address has', async () => {
    respond = json(200, 3);
    const nested = { ...target, baseUrl: `${target.baseUrl}/agents/7/` };
    expect(await client.events.count(nested, CONVERSATION)).toBe(3);
    expect(seen[0]?.url).toBe(`/agents/7/api/conversations/${CONVERSATION}/events/count`);
  });

  it('distinguish a new conversation from one that existed', async () => {
    respond = json(201, { id: CONVERSATION, execution_status: 'idle', extra: 1 });
    expect(await client.startConversation(target, { a: 1 })).toMatchObject({
      created: true,
      info: { id: CONVERSATION, extra: 1 },
    });
    respond = json(200, { id: CONVERSATION });
    expect(await client.startConversation(target, {})).toMatchObject({ created: false });
  });

  it('run a command', async () => {
    respond = json(200, { exit_code: 3, stdout: 'hi\n', stderr: null, kind: 'BashOutput' });
    const result = await client.workspace.executeBash(target, { command: 'x', cwd: '/p', timeoutSeconds: 5 });
    expect(result).toEqual({ exitCode: 3, stdout: 'hi\n', stderr: '' });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ command: 'x', cwd: '/p', timeout: 5 });
  });

  it('see health as a response, and nothing else as health', async () => {
    respond = json(200, { status: 'ok' });
    expect(await client.health(target)).toBe(true);
    respond = json(503, {});
    expect(await client.health(target)).toBe(false);
    respond = () => undefined;
    expect(await client.health(target, { timeoutMs: 50 })).toBe(false);
    expect(await client.health({ baseUrl: 'ftp://x', apiKey: '' })).toBe(false);
  });
});

describe('events.get', () => {
  it('gives the event and the text it came as', async () => {
    const raw = '{"id":"e 1/2", "kind":"MessageEvent","timestamp":"2026-01-01T00:00:00","n":1.0}';
    respond = (_request, response) => response.end(raw);
    expect(await client.events.get(target, CONVERSATION, 'e 1/2')).toMatchObject({ raw, event: { n: 1 } });
    expect(seen[0]?.url).toBe(`/api/conversations/${CONVERSATION}/events/e%201%2F2`);
  });

  it.each(['', '.', '..', 'search', 'count'])('asks nothing for the id "%s"', async (id) => {
    expect(await client.events.get(target, CONVERSATION, id)).toBeNull();
    expect(seen).toEqual([]);
  });

  it('takes the 500 of an unknown id for not found, and no other', async () => {
    respond = json(500, { detail: 'Internal Server Error', exception: "'Unknown event_id: nope'" });
    expect(await client.events.get(target, CONVERSATION, 'nope')).toBeNull();
    respond = json(500, { detail: 'Internal Server Error', exception: 'disk full' });
    await expect(client.events.get(target, CONVERSATION, 'nope')).rejects.toBeInstanceOf(
      AgentServerFailedError,
    );
  });

  it('refuses a response that is another event', async () => {
    respond = json(200, { id: 'other', kind: 'PauseEvent', timestamp: 't' });
    await expect(client.events.get(target, CONVERSATION, 'one')).rejects.toBeInstanceOf(
      AgentServerFailedError,
    );
  });
});

describe('events.after', () => {
  const log = Array.from({ length: 250 }, (_, i) => ({ id: `e${i}`, kind: 'PauseEvent', timestamp: 't' }));

  beforeEach(() => {
    respond = ({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams;
      const start = Math.max(
        log.findIndex(({ id }) => id === query.get('page_id')),
        0,
      );
      const items = log.slice(start, start + Number(query.get('limit')));
      response.end(JSON.stringify({ items, next_page_id: log[start + items.length]?.id ?? null }));
    };
  });

  const idsAfter = async (mark: string | null): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of client.events.after(target, CONVERSATION, mark)) ids.push(id);
    return ids;
  };

  it('reads the whole log in order', async () => {
    expect(await idsAfter(null)).toEqual(log.map(({ id }) => id));
  });

  it.each(['e0', 'e99', 'e100', 'e149', 'e249'])('reads what follows %s', async (mark) => {
    expect(await idsAfter(mark)).toEqual(log.slice(Number(mark.slice(1)) + 1).map(({ id }) => id));
  });

  it('does not take an unknown mark for the start of the log', async () => {
    await expect(idsAfter('gone')).rejects.toBeInstanceOf(EventMarkUnknownError);
  });
});

function json(status: number, body: unknown) {
  return (_request: Seen, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

async function listen(one: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  const { port } = one.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
