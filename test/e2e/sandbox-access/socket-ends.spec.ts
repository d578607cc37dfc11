import type { Duplex } from 'node:stream';
import { acceptOf } from '../../../src/sandboxes/sandbox-access/sockets/frames';
import { eventually } from '../../support/eventually';
import { clientFrame, RawClient, rawHandshake } from '../../support/sandbox-access/raw-client';
import { DoorService, type FarSandbox } from '../../support/sandbox-access/door-service';
import { call } from '../../support/service/http';

const TEXT = 1;
const CLOSE = 8;
const PONG = 10;

/** With one every 300 ms, long enough for three questions whether somebody is there. */
const TICKS = 22;

let service: DoorService;
let sandbox: FarSandbox;
let key: string;
beforeAll(async () => {
  service = await DoorService.start({ DOOR_PING_SECONDS: '2' });
  sandbox = await service.sandbox();
  ({ key } = service.owner);
});
beforeEach(() => service.far.reset());
afterAll(() => service.close());

/** The handshakes that reach the far side; each is answered when a test says. */
const heldHandshakes = (): { socket: Duplex; accept: () => void }[] => {
  const held: { socket: Duplex; accept: () => void }[] = [];
  service.far.upgraded = (request, socket) => {
    const accept = acceptOf(request.headers['sec-websocket-key'] ?? '');
    const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    held.push({ socket, accept: () => void socket.write(`${head}Sec-WebSocket-Accept: ${accept}\r\n\r\n`) });
  };
  return held;
};

/** A WebSocket, both of whose ends a test writes and reads byte by byte. */
const open = async () => {
  const held = heldHandshakes();
  const client = await RawClient.connect(service.app.url);
  client.socket.write(rawHandshake(`${sandbox.door}/x`, [`X-Access-Token: ${key}`]));
  const [far] = await eventually(() => {
    expect(held).toHaveLength(1);
    return held;
  });
  far?.accept();
  await client.has('101');
  if (far === undefined) throw new Error('There is no handshake.');
  return { client, far: far.socket };
};

const openSockets = async (): Promise<string | undefined> => {
  const { body } = await call<string>(service.app, 'GET', '/metrics');
  return /^door_connections\{kind="websocket"\} (.*)$/m.exec(body)?.[1];
};

describe('a place among the open connections', () => {
  it('is given back where its caller is reset while the agent server takes its time with the handshake', async () => {
    const held = heldHandshakes();
    const client = await RawClient.connect(service.app.url);
    client.socket.write(rawHandshake(`${sandbox.door}/x`));
    await client.has('101');
    client.socket.write(clientFrame(TEXT, JSON.stringify({ type: 'auth', session_api_key: key })));
    await eventually(() => expect(held).toHaveLength(1));
    // Those of other tests end meanwhile.
    await eventually(async () => expect(await openSockets()).toBe('1'));
    const connections = () =>
      new Promise<number>((resolve, reject) =>
        service.app.app.getHttpServer().getConnections((error: Error | null, count: number) => {
          if (error === null) resolve(count);
          else reject(error);
        }),
      );
    const before = await connections();
    client.socket.resetAndDestroy();
    await eventually(async () => expect(await connections()).toBeLessThan(before));
    held[0]?.accept();
    await eventually(async () => expect(await openSockets()).toBe('0'));
  });
});

describe('a side that the door keeps waiting', () => {
  const flood = (socket: Duplex, frame: Buffer): void => {
    const go = (): void => {
      while (!socket.destroyed && socket.write(frame));
    };
    socket.on('drain', go).on('error', () => undefined);
    go();
  };
  const tick = (socket: Duplex, frame: Buffer): void => {
    const timer = setInterval(() => socket.write(frame), 300);
    socket.once('close', () => clearInterval(timer));
  };
  const large = Buffer.concat([Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]), Buffer.alloc(65_536)]);
  const largeOfClient = Buffer.concat([
    Buffer.from([0x82, 255, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    Buffer.alloc(65_536),
  ]);

  it('is not taken for gone: its caller sends to an agent server that sends and does not read', async () => {
    const { client, far } = await open();
    far.pause();
    client.socket.on('data', (chunk: Buffer) => {
      if (chunk.includes(Buffer.from([0x89, 0]))) client.socket.write(clientFrame(PONG, ''));
    });
    flood(client.socket, largeOfClient);
    tick(far, Buffer.from([0x81, 1, 0x74]));
    await eventually(() => expect(client.text.split('\x81\x01t').length).toBeGreaterThan(TICKS));
    expect([client.isClosed, client.socket.writableNeedDrain]).toEqual([false, true]);
    client.socket.resetAndDestroy();
    far.destroy();
  });

  it('is not taken for gone: its agent server sends to a caller that sends and does not read', async () => {
    const { client, far } = await open();
    client.socket.pause();
    let text = '';
    far.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    flood(far, large);
    tick(client.socket, clientFrame(TEXT, 'tick'));
    await eventually(() => expect(text.split('tick').length).toBeGreaterThan(TICKS));
    expect([far.destroyed, far.writableNeedDrain]).toEqual([false, true]);
    client.socket.resetAndDestroy();
  });

  it('is given up where neither reads what the other sends', async () => {
    const { client, far } = await open();
    client.socket.pause();
    far.pause();
    flood(client.socket, largeOfClient);
    flood(far, large);
    await eventually(async () => expect(await openSockets()).toBe('0'));
    client.socket.destroy();
    far.destroy();
  });
});

describe('an agent server that closes', () => {
  it('is heard out where its frame comes in parts, and gets the response of the caller', async () => {
    const { client, far } = await open();
    let reply = '';
    far.on('data', (chunk: Buffer) => (reply += chunk.toString('latin1')));
    far.write(Buffer.from([0x81, 1, 0x61, 0x88]));
    await client.has('\x81\x01a');
    far.write(Buffer.from([5, 0x0f]));
    const rest = Buffer.from([0xa1, ...Buffer.from('bye')]);
    setImmediate(() => far.write(rest));
    await client.has(Buffer.from([0x88, 5, 0x0f, ...rest]).toString('latin1'));
    expect(client.isClosed).toBe(false);
    const answer = clientFrame(CLOSE, Buffer.from([0x0f, 0xa1]));
    client.socket.write(answer);
    await eventually(() => expect(reply).toContain(answer.toString('latin1')));
    await client.closed();
  });

  it('in the middle of its frame has gone without a reason', async () => {
    const { client, far } = await open();
    far.end(Buffer.from([0x88, 5, 0x0f]));
    await client.has(Buffer.from([1014 >> 8, 1014 & 255]).toString('latin1'));
    await client.closed();
  });
});

describe('a side that ends its half of the connection, without a frame that closes', () => {
  it('is gone: what its caller had open ends at the agent server', async () => {
    const { client, far } = await open();
    let isEnded = false;
    far.once('end', () => (isEnded = true)).resume();
    client.socket.end();
    await eventually(() => expect(isEnded).toBe(true));
    await client.closed();
    await eventually(async () => expect(await openSockets()).toBe('0'));
  });

  it('is gone: what its agent server had open ends with 1014', async () => {
    const { client, far } = await open();
    far.end();
    await client.has(Buffer.from([1014 >> 8, 1014 & 255]).toString('latin1'));
    await client.closed();
    await eventually(async () => expect(await openSockets()).toBe('0'));
  });
});
