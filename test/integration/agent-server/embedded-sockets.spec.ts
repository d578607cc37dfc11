import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { WebSocket } from 'ws';
import { EmbeddedServer } from '../../../src/appliance/embedded-agent-server/embedded-server';
import { newId } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';

const KEY = 'k';
type Frame = Record<string, unknown> & { kind: string };

let server: EmbeddedServer;
let base: string;
let id: string;
const open: WebSocket[] = [];

beforeEach(async () => {
  const config = {
    host: '127.0.0.1',
    port: 0,
    sessionApiKeys: [KEY],
    corsOrigins: [],
    secretKey: null,
    conversationsPath: null,
    webhooks: [],
    confinedTo: null,
    llm: {},
  };
  server = new EmbeddedServer(config, tmpdir());
  base = (await server.listen()).replace('http', 'ws');
  id = newId();
  const agent = { llm: { model: 'x' }, tools: [] };
  server.conversations.start({ conversation_id: id, agent, workspace: { working_dir: tmpdir() } });
});

afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  await server.close();
});

function connect(path: string, headers: Record<string, string> = {}): { socket: WebSocket; frames: Frame[] } {
  const socket = new WebSocket(base + path, { headers });
  open.push(socket);
  const frames: Frame[] = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as Frame));
  socket.on('error', () => undefined);
  return { socket, frames };
}

const keyed = (more = ''): string => `/sockets/events/${id}?session_api_key=${KEY}${more}`;
const closeCode = async (socket: WebSocket): Promise<unknown> =>
  ((await once(socket, 'close')) as unknown[])[0];
const short = (frame: Frame): string => {
  const { key, value, kind } = frame;
  if (key === 'full_state')
    return `full_state(${String((value as Record<string, unknown>)['execution_status'])})`;
  if (key === 'execution_status') return String(value);
  return typeof key === 'string' ? key : kind;
};
const firstFrame = (frames: Frame[]) =>
  eventually(() => {
    expect(frames[0]).toMatchObject({ kind: 'ConversationStateUpdateEvent', key: 'full_state' });
    return frames[0]!;
  });

describe('who may listen', () => {
  it.each([
    ['the key in the query', () => connect(keyed())],
    ['the key in a header', () => connect(`/sockets/events/${id}`, { 'x-session-api-key': KEY })],
  ])('%s opens it', async (_name, make) => {
    await firstFrame(make().frames);
  });

  it('the key in the first frame opens it, and a second such frame is ignored', async () => {
    const { socket, frames } = connect(`/sockets/events/${id}`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'auth', session_api_key: KEY }));
    await firstFrame(frames);
    socket.send(JSON.stringify({ type: 'auth', session_api_key: KEY }));
    socket.send(JSON.stringify({ role: 'user', content: 'hi' }));
    await eventually(() => expect(frames.map(short)).toContain('full_state(finished)'));
    expect(frames.map(({ kind }) => kind)).not.toContain('ServerErrorEvent');
  });

  it('a wrong key in the query is refused before the socket opens', async () => {
    const { socket } = connect(`/sockets/events/${id}?session_api_key=wrong`);
    const [error] = (await once(socket, 'error').catch((reason: unknown) => [reason])) as [Error];
    expect(error.message).toContain('403');
  });

  it.each([['{"type":"auth","session_api_key":"wrong"}'], ['{"role":"user"}'], ['nonsense']])(
    'the first frame %s closes it with 4001',
    async (frame) => {
      const { socket, frames } = connect(`/sockets/events/${id}`);
      await once(socket, 'open');
      socket.send(frame);
      expect(await closeCode(socket)).toBe(4001);
      expect(frames).toEqual([]);
    },
  );

  it.each(['//', '/sockets/events/nope', '/elsewhere'])('there is nothing at %s', async (path) => {
    const port = Number(new URL(base).port);
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'x-session-api-key': KEY };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port, path, headers: upgrade }, resolve);
      call.on('error', reject).end();
    });
    expect(response.statusCode).toBe(403);
    await firstFrame(connect(keyed()).frames);
  });

  it('an unknown conversation closes it with 4004', async () => {
    const { socket } = connect(`/sockets/events/${newId()}?session_api_key=${KEY}`);
    expect(await closeCode(socket)).toBe(4004);
  });
});

describe('what is heard', () => {
  it('the state first, then a run in its order, the final state last, and no nulls', async () => {
    const { socket, frames } = connect(keyed());
    await firstFrame(frames);
    socket.send(JSON.stringify({ role: 'user', content: [{ type: 'text', text: 'hi' }] }));
    await eventually(() => expect(frames.map(short)).toContain('full_state(finished)'));
    expect(frames.map(short)).toEqual([
      'full_state(idle)',
      'SystemPromptEvent',
      'MessageEvent',
      'last_user_message_id',
      'running',
      'MessageEvent',
      'finished',
      'full_state(finished)',
    ]);
    expect(JSON.stringify(frames)).not.toContain(':null');
  });

  it('the past when it is asked for, whole or from a time on', async () => {
    server.conversations.get(id)!.send({ role: 'user', content: [] }, true);
    await eventually(() => expect(server.conversations.get(id)!.status).toBe('finished'));
    const log = server.conversations.get(id)!.log.all();
    const all = connect(keyed('&resend_mode=all')).frames;
    await eventually(() => expect(all).toHaveLength(log.length + 1));
    expect(all.slice(1).map((frame) => frame['id'])).toEqual(log.map((event) => event.id));
    const since = connect(keyed(`&resend_mode=since&after_timestamp=${log[3]!.timestamp}`)).frames;
    await eventually(() => expect(since).toHaveLength(log.length - 3 + 1));
  });

  it('a frame that is not understood is answered, and the socket stays open', async () => {
    const { socket, frames } = connect(keyed());
    await firstFrame(frames);
    socket.send('{"content":[]}');
    await eventually(() =>
      expect(frames[1]).toMatchObject({ kind: 'ServerErrorEvent', code: 'ValidationError' }),
    );
    socket.send(JSON.stringify({ role: 'user', content: 'still here' }));
    await eventually(() => expect(frames.map(short)).toContain('full_state(finished)'));
  });

  it('at most 50 listeners for each conversation', async () => {
    const first = Array.from({ length: 50 }, () => connect(keyed()));
    await Promise.all(first.map(({ frames }) => firstFrame(frames)));
    expect(await closeCode(connect(keyed()).socket)).toBe(1013);
    first[0]!.socket.close();
    await eventually(() => expect(server.conversations.get(id)!.subscriberCount).toBe(49));
    await firstFrame(connect(keyed()).frames);
  });

  it('commands and their output on the socket of the shell', async () => {
    const { socket, frames } = connect(`/sockets/bash-events?session_api_key=${KEY}`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ command: 'echo out; exit 2' }));
    await eventually(() =>
      expect(frames).toMatchObject([
        { kind: 'BashCommand', command: 'echo out; exit 2' },
        { kind: 'BashOutput', stdout: 'out\n', exit_code: 2 },
      ]),
    );
  });
});
