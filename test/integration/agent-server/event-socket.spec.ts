import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { type AgentServer, EventSocket } from '../../../src/sandboxes/agent-server';
import { newId } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';
import { FarServer } from '../../support/sandbox-access/far-server';

const CONVERSATION = newId();
const NOBODY = 65_534;

describe('the WebSocket for the events of a conversation', () => {
  let far: FarServer;
  let opened: EventSocket[];

  beforeAll(async () => {
    far = await FarServer.start();
  });

  afterAll(() => far.stop());

  beforeEach(() => {
    far.reset();
    opened = [];
  });

  afterEach(() => {
    for (const socket of opened) socket.close();
  });

  /** What its owner was told. */
  interface Told {
    readonly socket: EventSocket;
    readonly events: string[];
    ends: number;
  }

  const open = (server: Partial<AgentServer> = {}): Told => {
    const told: Omit<Told, 'socket'> = { events: [], ends: 0 };
    const socket = new EventSocket({ baseUrl: far.url, apiKey: 'the key', ...server }, CONVERSATION, {
      received: (event) => told.events.push(event),
      ended: () => told.ends++,
    });
    opened.push(socket);
    return Object.assign(told, { socket });
  };

  const connected = async (): Promise<Told & { readonly agentServer: WebSocket }> => {
    const agentServer = far.nextSocket();
    return Object.assign(open(), { agentServer: await agentServer });
  };

  const handshake = async (): Promise<IncomingMessage> =>
    eventually(() => {
      const [asked] = far.handshakes;
      if (asked === undefined) throw new Error('Nobody came.');
      return asked;
    });

  it('is opened with the key, and tells its owner each event and the end', async () => {
    const { events, agentServer, ...told } = await connected();
    const { url, headers } = await handshake();
    expect([url, headers['x-session-api-key']]).toEqual([`/sockets/events/${CONVERSATION}`, 'the key']);
    agentServer.send('{"kind":"A"}');
    agentServer.send(Buffer.from([1, 2, 3]));
    agentServer.send('no event');
    await eventually(() => expect(events).toEqual(['{"kind":"A"}', 'no event']));
    expect(told.ends).toBe(0);
  });

  it('takes the way of a gateway, where there is one, below its path', async () => {
    const gateway = { version: '1', tls: {}, headers: ['Authorization', 'Bearer of the gateway'] };
    open({ baseUrl: `${far.url}/proxied/`, gateway });
    const { url, headers } = await handshake();
    expect([url, headers.authorization]).toEqual([
      `/proxied/sockets/events/${CONVERSATION}`,
      'Bearer of the gateway',
    ]);
  });

  it('is not opened to the listener of another user', async () => {
    const told = open({ listenerUid: NOBODY });
    await eventually(() => expect(told.ends).toBe(1));
    expect(far.handshakes).toEqual([]);
  });

  const faults: readonly [string, (request: IncomingMessage, far: FarServer) => void][] = [
    ['refuses it', ({ socket }) => void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')],
    ['sends it elsewhere', ({ socket }) => void socket.end('HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n')],
    ['speaks no HTTP', ({ socket }) => void socket.end('\0garbage\r\n\r\n')],
    ['breaks off', ({ socket }) => void socket.destroy()],
  ];

  it.each(faults)('ends once where the agent server %s', async (_, fail) => {
    far.upgraded = (request) => fail(request, far);
    const told = open();
    await eventually(() => expect(told.ends).toBe(1));
    await setImmediate();
    expect([told.ends, told.events]).toEqual([1, []]);
  });

  const ends: readonly [string, (agentServer: WebSocket) => void][] = [
    ['knows no such conversation', (agentServer) => agentServer.close(4004, 'Conversation not found')],
    ['breaks off', (agentServer) => agentServer.terminate()],
    ['tells more at once than is held in memory', (agentServer) => agentServer.send('x'.repeat(1_100_000))],
  ];

  it.each(ends)('ends once where the agent server %s afterwards', async (_, fail) => {
    const told = await connected();
    fail(told.agentServer);
    await eventually(() => expect(told.ends).toBe(1));
    expect(told.events).toEqual([]);
  });

  it('ends where the agent server shows no sign of life, and only there', async () => {
    const [lives, hangs] = [await connected(), await connected()];
    hangs.agentServer.pause();
    for (let checks = 1; checks <= 3; checks++) {
      const pong = new Promise((resolve) => lives.agentServer.once('ping', resolve));
      for (const { socket } of [lives, hangs]) socket.checkLife();
      await pong;
      // Its answer has come when what was sent after it has.
      lives.agentServer.send(`${checks}`);
      await eventually(() => expect(lives.events.at(-1)).toBe(`${checks}`));
    }
    await eventually(() => expect([lives.ends, hangs.ends]).toEqual([0, 1]));
    hangs.agentServer.terminate();
  });

  it('holds up who floods it, until its owner has it read on', async () => {
    const { agentServer, events, socket } = await connected();
    const sent = 100_000;
    for (let n = 0; n < sent; n++) agentServer.send('{}');
    const isStill = async (): Promise<void> => {
      const before = events.length;
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(events.length).toBe(before);
    };
    await eventually(() => expect(events.length).toBeGreaterThan(10_000));
    await eventually(isStill);
    expect(events.length).toBeLessThan(sent / 2);
    await eventually(() => {
      socket.readOn();
      expect(events.length).toBe(sent);
    });
  });

  it('is not opened where its owner has closed it meanwhile, and tells nothing then', async () => {
    const early = open();
    early.socket.close();
    const late = await connected();
    late.socket.close();
    late.agentServer.send('too late');
    await eventually(() => expect(far.connections.size).toBe(0));
    expect([early.ends, late.ends, early.events, late.events, far.handshakes.length]).toEqual([
      0,
      0,
      [],
      [],
      1,
    ]);
  });
});
