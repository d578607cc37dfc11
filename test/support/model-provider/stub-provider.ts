import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Said, type SpokenProtocol, streamedAnswer, wholeAnswer, writeEvent } from './provider-answers';

/** How the provider answers a call, where it is not well. */
export type Behaviour =
  /** An answer with a status. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection ends before any answer. */
  | { readonly kind: 'reset' }
  /** Nothing is answered until it is released. */
  | { readonly kind: 'waits' }
  /** A stream ends in the middle. */
  | { readonly kind: 'breaks' }
  /** A stream that never ends. */
  | { readonly kind: 'endless' }
  /** A stream that stops after its first word, until it is released. */
  | { readonly kind: 'halts' }
  /** Another answer, or another usage; null for none. */
  | { readonly kind: 'says'; readonly said: Partial<Said> }
  /** A success with an error in it. */
  | { readonly kind: 'error in success' }
  /** Bytes that are packed, though nobody asked for that. */
  | { readonly kind: 'packed'; readonly bytes: Buffer }
  /** The usage is said twice, the last time as it is. */
  | { readonly kind: 'usage twice' }
  /** Bytes as they are. */
  | { readonly kind: 'bytes'; readonly type: string; readonly pieces: readonly (string | Buffer)[] };

/** A call as it came. */
export interface ProviderCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const PATHS: readonly [string, SpokenProtocol][] = [
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/embeddings', 'embeddings'],
  ['/messages', 'messages'],
];

/** A provider of models on loopback that counts what it was asked, and speaks the protocols of the gateway, also badly. */
export class StubProvider {
  readonly calls: ProviderCall[] = [];
  /** What the answers that came to their end have cost. */
  readonly billed = { prompt: 0, completion: 0 };
  /** How the next calls are answered, one each. */
  readonly next: Behaviour[] = [];
  /** What it says to calls that nothing is said about. */
  said: Omit<Said, 'id' | 'model'> = {
    text: 'Hello from the model.',
    promptTokens: 20,
    completionTokens: 5,
    cachedTokens: 4,
  };
  /** Milliseconds before each answer. */
  delayMs = 0;
  /** Calls under way. */
  open = 0;
  mostOpen = 0;
  /** Calls whose caller has gone before the end. */
  abandoned = 0;
  private readonly waiting = new Set<() => void>();
  private readonly server = createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  static async start(): Promise<StubProvider> {
    const provider = new StubProvider();
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  /** The address of its API, with the version. */
  get baseUrl(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/v1`;
  }

  get host(): string {
    return new URL(this.baseUrl).host;
  }

  /** Forgets what it was asked and told. */
  reset(): void {
    this.calls.length = 0;
    this.next.length = 0;
    this.delayMs = 0;
    this.mostOpen = this.open;
    this.abandoned = 0;
    Object.assign(this.billed, { prompt: 0, completion: 0 });
    this.release();
  }

  /** Goes on with what waits. */
  release(): void {
    for (const goOn of this.waiting) goOn();
    this.waiting.clear();
  }

  async stop(): Promise<void> {
    this.release();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const protocol = PATHS.find(([end]) => path.endsWith(end))?.[1];
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    if (protocol === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(text) as Record<string, unknown>;
    this.calls.push({ path, headers: request.headers, text, body });
    this.open++;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    response.once('close', () => {
      this.open--;
      if (!response.writableFinished) this.abandoned++;
    });
    if (this.delayMs > 0) await sleep(this.delayMs);
    await this.answer(response, { protocol, body }, this.next.shift());
  }

  private async answer(
    response: ServerResponse,
    call: { protocol: SpokenProtocol; body: Record<string, unknown> },
    behaviour: Behaviour | undefined,
  ): Promise<void> {
    const { protocol, body } = call;
    const model = String(body['model']);
    const said: Said = {
      id: `answer-${this.calls.length}`,
      model,
      ...this.said,
      ...(behaviour?.kind === 'says' && behaviour.said),
    };
    if (behaviour !== undefined && (await this.misbehave(response, call, behaviour, said))) return;
    this.billed.prompt += said.promptTokens;
    this.billed.completion += protocol === 'embeddings' ? 0 : said.completionTokens;
    if (body['stream'] !== true) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(wholeAnswer(protocol, said)));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const event of this.eventsOf(call, said)) writeEvent(response, event);
    response.end();
  }

  private eventsOf(
    { protocol, body }: { protocol: SpokenProtocol; body: Record<string, unknown> },
    said: Said,
  ): { event?: string; data: string }[] {
    const options = body['stream_options'] as { include_usage?: boolean } | undefined;
    return streamedAnswer(protocol, said, options?.include_usage === true);
  }

  /** @returns whether nothing more is to be answered */
  private async misbehave(
    response: ServerResponse,
    call: { protocol: SpokenProtocol; body: Record<string, unknown> },
    behaviour: Behaviour,
    said: Said,
  ): Promise<boolean> {
    switch (behaviour.kind) {
      case 'status': {
        const {
          status,
          headers,
          body = { error: { message: `It is a ${status}.`, type: 'stub' } },
        } = behaviour;
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
        return true;
      }
      case 'reset':
        response.socket?.resetAndDestroy();
        return true;
      case 'waits':
        await this.released();
        return response.destroyed;
      case 'breaks': {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const events = this.eventsOf(call, said);
        for (const event of events.slice(0, 4)) writeEvent(response, event);
        await sleep(20);
        response.destroy();
        return true;
      }
      case 'endless':
        await this.speakEndlessly(response, call.protocol, said);
        return true;
      case 'halts': {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const events = this.eventsOf(call, said);
        const middle = events.findIndex(({ data }) => data.includes(said.text.split(' ')[0] ?? '')) + 1;
        for (const event of events.slice(0, middle)) writeEvent(response, event);
        await this.released();
        for (const event of events.slice(middle)) writeEvent(response, event);
        response.end();
        return true;
      }
      case 'error in success': {
        const error = { message: 'The model has fallen over.', type: 'server_error', code: null };
        if (call.body['stream'] === true) {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          writeEvent(response, { data: JSON.stringify({ error }) });
          response.end();
        } else {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ error }));
        }
        return true;
      }
      case 'packed':
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(behaviour.bytes);
        return true;
      case 'usage twice': {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const events = this.eventsOf(call, said);
        const wrong = this.eventsOf(call, { ...said, promptTokens: 1, completionTokens: 1, cachedTokens: 0 });
        const usages = wrong.filter(({ data }) => data.includes('"usage"'));
        for (const event of [...usages, ...events]) writeEvent(response, event);
        response.end();
        return true;
      }
      case 'bytes': {
        response.writeHead(200, { 'content-type': behaviour.type });
        for (const piece of behaviour.pieces) {
          response.write(piece);
          await sleep(2);
        }
        response.end();
        return true;
      }
      case 'says':
        return false;
    }
  }

  private async speakEndlessly(
    response: ServerResponse,
    protocol: SpokenProtocol,
    said: Said,
  ): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const [begin, word] = [0, 1].map((n) => streamedAnswer(protocol, said, false)[n]);
    if (begin !== undefined) writeEvent(response, begin);
    for (let words = 0; !response.destroyed && word !== undefined; words++) {
      if (!writeEvent(response, word))
        await new Promise<void>((resolve) => {
          response.once('drain', resolve).once('close', resolve);
        });
      else if (words % 100 === 0) await sleep(1);
    }
  }

  private released(): Promise<void> {
    return new Promise((resolve) => this.waiting.add(resolve));
  }
}
