import type { Duplex } from 'node:stream';
import { acceptOf } from '../../../src/sandbox-access/sockets/frames';
import { eventually } from '../../support/eventually';
import { clientFrame, RawClient, rawHandshake } from '../../support/sandbox-access/raw-client';
import { DoorService, type FarSandbox } from '../../support/sandbox-access/door-service';
import { call } from '../../support/service/http';

const TEXT = 1;

let service: DoorService;
let sandbox: FarSandbox;
let key: string;
beforeAll(async () => {
  service = await DoorService.start();
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
    expect(await openSockets()).toBe('1');
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
