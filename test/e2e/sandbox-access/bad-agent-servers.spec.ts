import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AskedPeer } from '../../support/peers/asked-peer';
import { type Answer, HELD_UP, ODD } from '../../support/peers/bad-answers';
import { DoorService } from '../../support/sandbox-access/door-service';
import { rawHandshake, rawRequest } from '../../support/sandbox-access/raw-client';
import { timeBound } from '../../support/time-bound';

/** So many ask at once. */
const AT_ONCE = 12;
/** For so long nobody reads. */
const PAUSE_MS = 150;
const LONGEST_MS = 20_000;
const SIZE = 1024 * 1024;

let service: DoorService;
beforeAll(async () => {
  service = await DoorService.start();
});
afterAll(() => service.close());

/** What is sent through the door, to an address below it. */
const REQUESTS: Readonly<Record<string, (door: string, headers: readonly string[]) => string>> = {
  'a request': (door, headers) => rawRequest(`GET ${door}/x`, [...headers, 'Connection: close']),
  'an upload': (door, headers) =>
    rawRequest(`POST ${door}/x`, [...headers, 'Connection: close', `Content-Length: ${SIZE}`]) +
    'x'.repeat(SIZE),
  'the handshake of a WebSocket': (door, headers) => rawHandshake(`${door}/sockets/events/x`, headers),
};

/** An agent server that agrees to a WebSocket before it says more than is read. */
const AGREED: readonly (readonly [string, Answer])[] = ['end', 'resetAndDestroy'].flatMap((end) =>
  [0, 50].map((afterMs): [string, Answer] => [
    `a WebSocket, ${end} after ${afterMs} ms`,
    (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.write(Buffer.alloc(4 * SIZE, 0x82));
      setTimeout(() => (end === 'end' ? socket.end() : socket.resetAndDestroy()), afterMs);
    },
  ]),
);

const CALLERS = { 'reads on': true, 'goes away': false };

/** @returns whether the caller's connection ended */
async function ask(request: string, readsOn: boolean): Promise<boolean> {
  const { hostname, port } = new URL(service.app.url);
  const socket = connect(Number(port), hostname);
  const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)));
  socket.on('error', () => undefined);
  socket.write(request, 'latin1');
  await sleep(PAUSE_MS);
  if (readsOn) socket.resume();
  else socket.resetAndDestroy();
  const isClosed = await Promise.race([closed, sleep(timeBound(LONGEST_MS), false, { ref: false })]);
  socket.destroy();
  return isClosed;
}

async function isOver(answer: Answer, make: (door: string) => string, readsOn: boolean): Promise<boolean> {
  const peer = await AskedPeer.start(answer);
  const sandbox = await service.sandbox({ baseUrl: `http://127.0.0.1:${peer.port}` });
  const isClosed = await ask(make(sandbox.door), readsOn);
  await peer.stop();
  return isClosed;
}

/** A throw in an event of a socket fails the test that runs: nobody can catch it. */
describe.each(Object.entries(REQUESTS))('%s that an agent server answers as none may', (_what, make) => {
  it.each(Object.entries(CALLERS))('ends, and nobody else, where the caller %s', async (_how, readsOn) => {
    const left = [...HELD_UP, ...ODD, ...AGREED];
    const waiting: string[] = [];
    const headers = [`X-Access-Token: ${service.owner.key}`];
    const work = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [name, answer] = next;
        if (!(await isOver(answer, (door) => make(door, headers), readsOn))) waiting.push(name);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(waiting).toEqual([]);
    expect((await fetch(`${service.app.url}/ready`)).status).toBe(200);
  });
});
