import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { DomainEvents } from '../../../src/kernel/domain-events';
import { TransientEvents } from '../../../src/conversations/events';
import { ConversationTails } from '../../../src/outbound/event-streams/tails/tails';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { saying } from '../../support/queue/queued-messages';
import { FarServer } from '../../support/sandbox-access/far-server';
import { startTestApp, type TestApp } from '../../support/service/app';
import { StreamReader } from '../../support/streams/stream-reader';

/** As many conversations of a user are heard at once. */
const MOST_OF_USER = 64;

const delta = (content: string): string =>
  JSON.stringify({ id: randomUUID(), kind: 'StreamingDeltaEvent', source: 'agent', content });

const STATE = JSON.stringify({ id: randomUUID(), kind: 'ConversationStateUpdateEvent', key: 'full_state' });

describe('what an agent writes while it writes it, from the WebSocket of its agent server', () => {
  let database: TestDatabase;
  let doubled: DoubledService;
  let app: TestApp;
  /** Settings of other replicas. */
  let env: Record<string, string>;
  /** Another replica. */
  let other: TestApp;
  /** The agent server of all conversations. */
  let far: FarServer;
  /** WebSockets by conversation, the newest last. */
  let sockets: Map<string, WebSocket[]>;
  /** The connection of the newest WebSocket of each conversation. */
  let connections: Map<string, Duplex>;
  /** Takes a connection in place of a WebSocket that works, for some conversations. */
  let faults: Map<string, (request: IncomingMessage) => void>;
  let streams: StreamReader[];

  beforeAll(async () => {
    database = await createTestDatabase();
    far = await FarServer.start();
    doubled = await DoubledService.start({}, undefined, { database });
    ({ app } = doubled.service);
    const { double } = doubled;
    env = {
      SANDBOX_DRIVER: 'external',
      EXTERNAL_ORG_ID: '*',
      LLM_MODEL: 'echo',
      APP_ROLE: 'api',
      AGENT_SERVER_URL: double.url,
      AGENT_SERVER_API_KEY: double.target.apiKey,
    };
    other = await startTestApp({ database, env });
  });

  afterAll(async () => {
    await other.close();
    await doubled.close();
    await far.stop();
    await database.drop();
  });

  beforeEach(() => {
    far.reset();
    sockets = new Map();
    connections = new Map();
    faults = new Map();
    streams = [];
    far.upgraded = (request, socket) => {
      const id = conversationOf(request);
      const fault = faults.get(id);
      if (fault !== undefined) {
        fault(request);
        return;
      }
      far.sockets.handleUpgrade(request, socket, Buffer.alloc(0), (websocket) => {
        sockets.set(id, [...(sockets.get(id) ?? []), websocket]);
        connections.set(id, socket);
        websocket.send(STATE);
      });
    };
  });

  afterEach(async () => {
    for (const stream of streams) stream.close();
    await eventually(() => expect(openTo()).toBe(0));
  });

  const conversationOf = ({ url = '' }: IncomingMessage): string => url.split('/').at(-1) ?? '';

  const conversation = async (status = 'RUNNING'): Promise<string> => {
    const sandbox = { status, baseUrl: far.url, isClaimed: true };
    return (await doubled.conversation({ sandbox })).id;
  };

  const listen = async (id: string, replica: TestApp = app, query = ''): Promise<StreamReader> => {
    const url = `${replica.url}/api/v1/conversation/${id}/events/stream${query}`;
    const stream = await StreamReader.open(url, { key: doubled.service.owner.key });
    streams.push(stream);
    await eventually(() => expect(stream.lastId).not.toBeNull());
    return stream;
  };

  /** WebSockets that are open, of one conversation or of all. */
  const openTo = (id?: string): number =>
    [...sockets].filter(([of]) => id === undefined || of === id).flatMap(([, all]) => all.filter(isOpen))
      .length;

  const isOpen = ({ readyState, OPEN }: WebSocket): boolean => readyState === OPEN;

  const tell = (id: string, ...events: string[]): void => {
    for (const socket of sockets.get(id) ?? [])
      for (const event of events) if (isOpen(socket)) socket.send(event);
  };

  const wordsOn = (stream: StreamReader): unknown[] =>
    stream.messages.filter(({ kind }) => kind === 'StreamingDeltaEvent').map(({ content }) => content);

  /** Tells a word until a stream hears it. */
  const untilHeard = async (id: string, stream: StreamReader): Promise<void> => {
    const word = randomUUID();
    await eventually(() => {
      tell(id, delta(word));
      expect(wordsOn(stream)).toContain(word);
    }, 60_000);
  };

  it('comes to the streams of every replica, which opens one for all of its own, and nothing else does', async () => {
    const id = await conversation();
    const all = [await listen(id), await listen(id), await listen(id, other)];
    await eventually(() => expect(openTo(id)).toBe(2));
    const [{ headers }] = far.handshakes as [IncomingMessage];
    expect(headers['x-session-api-key']).toBe(doubled.double.target.apiKey);
    tell(id, delta('All '), '{"kind":"MessageEvent","id":"x","note":"StreamingDeltaEvent"}', 'garbage');
    tell(id, delta('tests\n'), `["StreamingDeltaEvent"`, delta('x'.repeat(300_000)), delta('pass.'));
    for (const stream of all) {
      await eventually(() => expect(wordsOn(stream)).toContain('pass.'));
      expect(stream.messages.map(({ content }) => content)).toEqual(['All ', 'tests\n', 'pass.']);
      expect(stream.lastId).toBe('0');
    }
    expect(openTo(id)).toBe(2);
  });

  it('does not come a second time by calls of the agent server, whichever replica it calls', async () => {
    const [id, away] = [await conversation(), await conversation()];
    faults.set(away, ({ socket }) => void socket.destroy());
    const byCall = app.app.get(TransientEvents, { strict: false });
    const [heard, called] = [
      [await listen(id), await listen(id, other)],
      [await listen(away), await listen(away, other)],
    ];
    for (const stream of heard) await untilHeard(id, stream);
    // Both replicas know of one another when what is told of the other conversation reaches all of its streams.
    await eventually(() => {
      byCall.pass(id, [delta('again')]);
      byCall.pass(away, [delta('by call')]);
      for (const stream of called) expect(wordsOn(stream)).toContain('by call');
    });
    for (const stream of heard) expect(wordsOn(stream)).not.toContain('again');
  });

  it('is heard for as long as somebody listens who wants it', async () => {
    const id = await conversation();
    await listen(id, app, '?kind=MessageEvent');
    const [first, second] = [await listen(id), await listen(id)];
    await untilHeard(id, second);
    first.close();
    await untilHeard(id, second);
    expect([openTo(id), far.handshakes.length]).toEqual([1, 1]);
    second.close();
    await eventually(() => expect(openTo(id)).toBe(0));
  });

  it('is heard again after whatever ends the WebSocket, while the stream stays', async () => {
    const ends: readonly ((socket: WebSocket, connection: Duplex | undefined) => void)[] = [
      (socket) => socket.close(4004, 'Conversation not found'),
      (socket) => socket.terminate(),
      (socket) => socket.send('x'.repeat(1_100_000)),
      (_, connection) => connection?.write('garbage'),
    ];
    const made = await Promise.all(ends.map(() => conversation()));
    const refused = await conversation();
    let refusals = 0;
    faults.set(refused, ({ socket }) => {
      if (++refusals === 2) faults.delete(refused);
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    });
    const again = ends.map(async (end, n) => {
      const id = made[n] ?? '';
      const stream = await listen(id);
      await untilHeard(id, stream);
      for (const socket of sockets.get(id) ?? []) end(socket, connections.get(id));
      await eventually(() => expect(openTo(id)).toBe(0));
      await untilHeard(id, stream);
      expect(sockets.get(id)).toHaveLength(2);
      expect(stream.isClosed).toBe(false);
    });
    const late = async (): Promise<void> => untilHeard(refused, await listen(refused));
    await Promise.all([...again, late()]);
  });

  it('is heard where the sandbox is now, after it was away', async () => {
    const id = await conversation('PAUSED');
    const stream = await listen(id);
    const elsewhere = await FarServer.start();
    try {
      const connected = elsewhere.nextSocket();
      await app.db.query(
        `UPDATE sandboxes SET status = 'RUNNING', base_url = $2
          WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)`,
        [id, elsewhere.url],
      );
      const socket = await connected;
      socket.send(delta('back'));
      await eventually(() => expect(wordsOn(stream)).toEqual(['back']));
      expect(far.handshakes).toEqual([]);
      stream.close();
      await eventually(() => expect(elsewhere.connections.size).toBe(0));
    } finally {
      await elsewhere.stop();
    }
  });

  describe('when its sandbox runs again, for a message that waited', () => {
    /** How many WebSockets were open when a message came to the agent server, by conversation. */
    let heardBy: Map<string, number>;

    beforeEach(() => {
      heardBy = new Map();
      far.answer = ({ method, url = '' }, response) => {
        const id = url.split('/')[3] ?? '';
        if (method === 'POST') heardBy.set(id, openTo(id));
        response.setHeader('content-type', 'application/json').end(method === 'POST' ? '{}' : '{"items":[]}');
      };
    });

    /** Queues a message for a conversation whose sandbox is away, and has that back. */
    const wake = async (id: string): Promise<void> => {
      const queued = await doubled.service.call('POST', `/api/v1/conversations/${id}/pending-messages`, {
        body: saying('Go on.'),
      });
      expect(queued.status).toBe(200);
      await app.db.transaction(async (transaction) => {
        const [[sandbox]] = await transaction.query<[[{ id: string; org_id: string }]]>(
          `UPDATE sandboxes SET status = 'RUNNING'
            WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1) RETURNING id, org_id`,
          [id],
        );
        const { id: sandbox_id, org_id } = sandbox;
        const state = { status: 'RUNNING', stopping: false, status_detail: null } as const;
        const events = app.app.get(DomainEvents, { strict: false });
        await events.publish(transaction, { kind: 'sandbox.status_changed', org_id, sandbox_id, ...state });
      });
    };

    it('is heard by each replica that has streams before the agent has the message', async () => {
      const open = far.upgraded!;
      far.upgraded = (request, socket) => void setTimeout(() => open(request, socket), 200);
      // The message waits for a second at most, and for nobody who has not said in time that they open one: on a busy machine once more.
      await eventually(async () => {
        const id = await conversation('PAUSED');
        await Promise.all([listen(id), listen(id, other)]);
        await wake(id);
        await eventually(() => expect(heardBy.has(id)).toBe(true));
        expect(heardBy.get(id)).toBe(2);
        expect(far.handshakes.filter((one) => conversationOf(one) === id)).toHaveLength(2);
      });
    });

    it('does not keep the message for longer than a moment where it cannot be heard', async () => {
      const [silent, refused] = [await conversation('PAUSED'), await conversation('PAUSED')];
      faults.set(silent, () => undefined);
      faults.set(refused, ({ socket }) => void socket.destroy());
      for (const id of [silent, refused]) {
        await Promise.all([listen(id), listen(id, other)]);
        const began = performance.now();
        await wake(id);
        await eventually(() => expect(heardBy.get(id)).toBe(0));
        expect(performance.now() - began).toBeLessThan(5_000);
      }
      for (const { socket } of far.handshakes) socket.destroy();
    });

    it('opens nothing where nobody listens', async () => {
      const [id, heard] = [await conversation('PAUSED'), await conversation('PAUSED')];
      await listen(heard, other);
      await wake(id);
      await eventually(() => expect(heardBy.get(id)).toBe(0));
      // Of the conversations of other tests one may be tried again.
      const opened = far.handshakes.map(conversationOf);
      expect([id, heard].filter((one) => opened.includes(one))).toEqual([]);
    });
  });

  it('is heard of so many conversations of a user, and of those of others still', async () => {
    const tails = app.app.get(ConversationTails, { strict: false });
    const follower = { follow: () => undefined, pass: () => undefined, wants: () => true };
    const ids = await Promise.all(Array.from({ length: MOST_OF_USER + 2 }, () => conversation()));
    for (const id of ids) tails.join(id, follower, 0);
    try {
      await eventually(() => expect(openTo()).toBe(MOST_OF_USER));
      const left = ids.filter((id) => openTo(id) === 0);
      for (const id of ids.filter((one) => openTo(one) > 0).slice(0, 2)) tails.leave(id, follower);
      await eventually(() => expect(left.map((id) => openTo(id))).toEqual([1, 1]));
      expect(openTo()).toBe(MOST_OF_USER);
    } finally {
      for (const id of ids) tails.leave(id, follower);
    }
  });

  it('leaves nothing open where a replica stops', async () => {
    const id = await conversation();
    const stops = await startTestApp({ database, env });
    await listen(id, stops);
    await eventually(() => expect(openTo(id)).toBe(1));
    await stops.close();
    await eventually(() => expect(openTo(id)).toBe(0));
  });
});
