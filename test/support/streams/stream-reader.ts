import { type ClientRequest, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { eventually } from '../eventually';

/** One event of a stream, as an EventSource would give it. */
export interface StreamedEvent {
  /** `message` where the stream does not say. */
  readonly type: string;
  /** Null for one that says nothing of its place. */
  readonly id: string | null;
  readonly data: string;
  /** When it arrived, by `performance.now()`. */
  readonly atMs: number;
}

/** What is asked of a stream. */
export interface StreamRequest {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads a stream of server-sent events. */
export class StreamReader {
  readonly events: StreamedEvent[] = [];
  readonly comments: string[] = [];
  /** The last id, which also blocks without an event carry. */
  lastId: string | null = null;
  retryMs: number | null = null;
  isClosed = false;
  /** Resolves when it is, however long that takes; tests that want it to be wait by {@link closed}. */
  readonly ended: Promise<void>;
  private rest = '';

  private constructor(
    private readonly request: ClientRequest,
    private readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.take(text));
    response.on('error', () => undefined);
    this.ended = new Promise((resolve) =>
      response.on('close', () => {
        this.isClosed = true;
        resolve();
      }),
    );
  }

  /** Opens a stream, and waits for its headers. */
  static open(url: string, { key, headers = {} }: StreamRequest = {}): Promise<StreamReader> {
    return new Promise((resolve, reject) => {
      const all = { ...(key !== undefined && { 'X-Access-Token': key }), ...headers };
      const request = get(url, { headers: all, agent: false }, (response) =>
        resolve(new StreamReader(request, response)),
      );
      request.on('error', reject);
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** Messages, as parsed JSON. */
  get messages(): Record<string, unknown>[] {
    return this.of('message').map(({ data }) => JSON.parse(data) as Record<string, unknown>);
  }

  /** Events of a type. */
  of(type: string): StreamedEvent[] {
    return this.events.filter((event) => event.type === type);
  }

  /** The body of what is no stream, as JSON. */
  async body<Body>(): Promise<Body> {
    await this.closed();
    return JSON.parse(this.rest) as Body;
  }

  /** Waits for so many messages. */
  async until(count: number): Promise<void> {
    await eventually(() => {
      const { length } = this.of('message');
      if (length < count) throw new Error(`${length} of ${count} messages came.`);
    });
  }

  /** Waits until the other side has closed it. */
  async closed(): Promise<void> {
    await eventually(() => {
      if (!this.isClosed) throw new Error('The stream is open.');
    });
  }

  /** Stops reading, as a client that hangs. */
  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  /** Breaks the connection. */
  close(): void {
    this.request.destroy();
  }

  private take(text: string): void {
    this.rest += text;
    if (this.headers['content-type']?.startsWith('text/event-stream') !== true) return;
    const blocks = this.rest.split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) this.takeBlock(block);
  }

  private takeBlock(block: string): void {
    let type = 'message';
    let id: string | null = null;
    const data: string[] = [];
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
      if (field === '') this.comments.push(value);
      if (field === 'event') type = value;
      if (field === 'id') this.lastId = id = value;
      if (field === 'data') data.push(value);
      if (field === 'retry') this.retryMs = Number(value);
    }
    if (data.length > 0) this.events.push({ type, id, data: data.join('\n'), atMs: performance.now() });
  }
}
