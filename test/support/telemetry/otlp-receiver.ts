import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { eventually } from '../eventually';
import { Message } from './protobuf';

type Value = string | number | boolean;

/** A span as it was received. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly failed: boolean;
  readonly resource: Readonly<Record<string, Value>>;
}

/** A log record as it was received. */
export interface ReceivedLog {
  readonly eventName: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly severity: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly resource: Readonly<Record<string, Value>>;
}

/** A collector: takes traces, metrics and logs over OTLP/HTTP. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly logs: ReceivedLog[] = [];
  /** The names of the metrics that came, with their values where they are plain numbers. */
  readonly metrics = new Map<string, number[]>();
  /** All bytes that came, as text. */
  raw = '';
  /** What it does with a request; without, it takes everything. */
  react: ((response: ServerResponse) => void) | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    const receiver = new OtlpReceiver(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void receiver.take(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits for a span. */
  span(isMeant: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    return eventually(() => {
      const found = this.spans.find(isMeant);
      if (found === undefined)
        throw new Error(`What came: ${[...new Set(this.spans.map(({ name }) => name))].join(', ')}`);
      return found;
    });
  }

  /** The names of a span and of those that it is a part of, the outermost first. */
  way({ parentId, name }: ReceivedSpan): string[] {
    const parent = this.spans.find(({ spanId }) => spanId === parentId);
    return parent === undefined ? [name] : [...this.way(parent), name];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    if (this.react !== undefined) {
      this.react(response);
      return;
    }
    const body = Buffer.concat(chunks);
    const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    this.raw += bytes.toString('latin1');
    const resources = new Message(bytes).messages(1);
    if (request.url === '/v1/traces') for (const resource of resources) this.spans.push(...spansOf(resource));
    else if (request.url === '/v1/logs') this.logs.push(...resources.flatMap(logsOf));
    else for (const resource of resources) this.note(resource);
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  }

  private note(resource: Message): void {
    for (const metric of resource.messages(2).flatMap((scope) => scope.messages(2))) {
      const points = [...metric.messages(5), ...metric.messages(7)].flatMap((data) => data.messages(1));
      this.metrics.set(
        metric.text(1),
        points.map((point) => point.double(4)),
      );
    }
  }
}

function spansOf(resource: Message): ReceivedSpan[] {
  const [about] = resource.messages(1);
  return resource
    .messages(2)
    .flatMap((scope) => scope.messages(2))
    .map((span) => ({
      traceId: span.bytes(1).toString('hex'),
      spanId: span.bytes(2).toString('hex'),
      parentId: span.bytes(4).toString('hex'),
      name: span.text(5),
      kind: Number(span.integer(6)),
      attributes: attributesOf(span.messages(9)),
      failed: span.messages(15)[0]?.integer(3) === 2n,
      resource: attributesOf(about?.messages(1) ?? []),
    }));
}

function logsOf(resource: Message): ReceivedLog[] {
  const [about] = resource.messages(1);
  return resource
    .messages(2)
    .flatMap((scope) => scope.messages(2))
    .map((record) => ({
      eventName: record.text(12),
      at: Number((record.integer(1) ?? 0n) / 1_000_000n),
      severity: record.text(3),
      body: String(valueOf(record.messages(5)[0])),
      attributes: attributesOf(record.messages(6)),
      resource: attributesOf(about?.messages(1) ?? []),
    }));
}

function attributesOf(pairs: readonly Message[]): Record<string, Value> {
  return Object.fromEntries(pairs.map((pair) => [pair.text(1), valueOf(pair.messages(2)[0])]));
}

function valueOf(value: Message | undefined): Value {
  if (value === undefined) return '';
  const truth = value.integer(2);
  if (truth !== undefined) return truth === 1n;
  const integer = value.integer(3);
  if (integer !== undefined) return Number(integer);
  return value.integer(4) === undefined ? value.text(1) : value.double(4);
}
