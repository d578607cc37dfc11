import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

const LOOPBACK = '127.0.0.1';

/** Of RFC 1928: the version, types of addresses, and replies. */
const SOCKS = 5;
const [IPV4, DOMAIN] = [1, 3];
const [SUCCEEDED, NOT_ALLOWED, REFUSED] = [0, 2, 5];

/** A SOCKS proxy at a Unix socket, which processes of other network namespaces can reach. It leads to this machine only. */
export class LoopbackProxy {
  private constructor(
    /** Of its socket. */
    readonly path: string,
    private readonly server: Server,
  ) {}

  /** @param hosts names that lead to this machine, besides those that every machine has */
  static async open(hosts: readonly string[]): Promise<LoopbackProxy> {
    const path = join(tmpdir(), `browser-${randomUUID()}`);
    const known = new Set([LOOPBACK, 'localhost', ...hosts]);
    const server = createServer((client) => {
      client.on('error', () => undefined);
      serve(client, known).catch(() => client.destroy());
    });
    await once(server.listen(path), 'listening');
    return new LoopbackProxy(path, server);
  }

  /** Connections that there are end with their browser. */
  close(): void {
    this.server.close();
  }
}

async function serve(client: Socket, hosts: ReadonlySet<string>): Promise<void> {
  const [, methods = 0] = await take(client, 2);
  await take(client, methods);
  client.write(Buffer.from([SOCKS, 0]));
  const [, , , type] = await take(client, 4);
  const host = await hostOf(client, type);
  const port = (await take(client, 2)).readUInt16BE();
  const reply = (code: number): Buffer => Buffer.from([SOCKS, code, 0, IPV4, 0, 0, 0, 0, 0, 0]);
  if (!hosts.has(host)) {
    client.end(reply(NOT_ALLOWED));
    return;
  }
  const target = connect(port, LOOPBACK);
  try {
    await once(target, 'connect');
  } catch {
    client.end(reply(REFUSED));
    return;
  }
  client.write(reply(SUCCEEDED));
  pipeline(client, target, client, () => undefined);
}

async function hostOf(client: Socket, type: number | undefined): Promise<string> {
  if (type === IPV4) return (await take(client, 4)).join('.');
  if (type !== DOMAIN) return '';
  const [length = 0] = await take(client, 1);
  return (await take(client, length)).toString('latin1');
}

/** @returns so many bytes, once they are there */
async function take(client: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: unknown = client.read(count);
    if (Buffer.isBuffer(bytes) && bytes.length === count) return bytes;
    if (bytes !== null || client.readableEnded) throw new Error('The connection ended within its handshake.');
    await once(client, 'readable');
  }
}
