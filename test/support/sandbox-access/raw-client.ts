import { connect, type Socket } from 'node:net';
import { eventually } from '../eventually';

const HANDSHAKE = [
  'Host: service',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** The bytes of a request without a body. */
export function rawRequest(line: string, headers: readonly string[] = []): string {
  return [`${line} HTTP/1.1`, 'Host: service', ...headers, '', ''].join('\r\n');
}

/** The bytes of a request for a WebSocket. */
export function rawHandshake(path: string, headers: readonly string[] = []): string {
  return [`GET ${path} HTTP/1.1`, ...HANDSHAKE, ...headers, '', ''].join('\r\n');
}

/** A frame of a client whose mask changes nothing; of a payload up to 125 bytes. */
export function clientFrame(opcode: number, payload: Buffer | string): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

/** A client that sends bytes as a test says. */
export class RawClient {
  /** What came; as bytes, a character each. */
  text = '';
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (this.text += chunk.toString('latin1')));
    socket.once('close', () => (this.isClosed = true));
  }

  /** Connects to the server of an address. */
  static async connect(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const client = new RawClient(connect(Number(port), hostname));
    await new Promise((resolve) => client.socket.once('connect', resolve));
    return client;
  }

  /** Waits until something came. */
  async has(part: string): Promise<void> {
    await eventually(() => expect(this.text).toContain(part));
  }

  async closed(): Promise<void> {
    await eventually(() => expect(this.isClosed).toBe(true));
  }
}
