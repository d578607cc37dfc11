import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const TYPE_AND_CLASS_BYTES = 4;
/** A response to a query that wants recursion. */
const FOUND = 0x8180;
const NO_SUCH_NAME = 0x8183;
const TXT = 16;

/** A name server (RFC 1035) that answers for TXT records, as far as a test names them. */
export class NameServer {
  /** The texts of records, by their names. */
  readonly records = new Map<string, readonly string[]>();
  readonly asked: string[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, { port, address }) => socket.send(this.answer(query), port, address));
  }

  /** Starts one on loopback. */
  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket);
  }

  /** With its port. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(HEADER_BYTES, at + 1 + TYPE_AND_CLASS_BYTES);
    const name = labels.join('.').toLowerCase();
    this.asked.push(name);
    const texts = query.readUInt16BE(at + 1) === TXT ? (this.records.get(name) ?? []) : [];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(texts.length > 0 ? FOUND : NO_SUCH_NAME, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(texts.length, 6);
    return Buffer.concat([header, question, ...texts.map(record)]);
  }
}

/** A record of the name that the question has. */
function record(text: string): Buffer {
  const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + HEADER_BYTES, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(1, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
