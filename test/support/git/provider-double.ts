import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDER_WIRES, type ProviderAnswer, type ProviderWorld } from './provider-wires';

/** What the double answers instead of its API. */
export type ProviderFailure =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'hangs'
  | 'endless';

/** A request as it came. */
export interface ProviderRequest {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly traceparent: string | undefined;
}

const MEBIBYTE = Buffer.from(`[${'{},'.repeat(349_525)}`);

/** A server that speaks the APIs of all five providers, each below its path, over one world of repositories. */
export class ProviderDouble {
  readonly requests: ProviderRequest[] = [];
  /** Whose tokens it takes, by what they reach. */
  readonly tokens = new Map<string, ProviderWorld>();
  failure: ProviderFailure | null = null;

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.answer(request, response);
    });
  }

  static async start(): Promise<ProviderDouble> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ProviderDouble(server);
  }

  /** `host:port`, as `GIT_ALLOWED_HOSTS` takes it. */
  get host(): string {
    const { port } = this.server.address() as AddressInfo;
    return `127.0.0.1:${port}`;
  }

  get origin(): string {
    return `http://${this.host}`;
  }

  /** The tokens of the requests so far, each once. */
  get tokensSeen(): string[] {
    return [...new Set(this.requests.map(({ authorization }) => tokenIn(authorization)))];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Answers a request to it, or to a server that has its API at the same address. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const { authorization, traceparent } = request.headers;
    this.requests.push({
      ...{ url: request.url ?? '', authorization },
      traceparent: traceparent === undefined ? undefined : String(traceparent),
    });
    if (this.failure === 'hangs') return;
    if (this.failure === 'endless') {
      endless(response);
      return;
    }
    if (this.failure !== null) {
      const { status, headers, body } = this.failure;
      response.writeHead(status, headers).end(body);
      return;
    }
    const url = new URL(request.url ?? '/', this.origin);
    const { status, headers, body } = this.found(url, authorization);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  private found(url: URL, authorization: string | undefined): Required<ProviderAnswer> {
    const wire = PROVIDER_WIRES.find(({ prefix }) => url.pathname.startsWith(prefix));
    const world = this.tokens.get(tokenIn(authorization));
    const said = authorization?.split(' ')[0];
    if (wire === undefined || /%(?![0-9a-f]{2})/i.test(url.pathname))
      return { status: 404, headers: {}, body: {} };
    if (world === undefined || said !== wire.scheme) return { status: 401, headers: {}, body: {} };
    const path = url.pathname.slice(wire.prefix.length).split('/').map(decodeURIComponent);
    const found = wire.answer(world, path, url);
    return found === null
      ? { status: 404, headers: {}, body: { message: 'Not Found' } }
      : { status: found.status ?? 200, headers: found.headers ?? {}, body: found.body };
  }
}

/** An answer that does not end; most of it are values. */
function endless(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(MEBIBYTE));
  };
  response.on('drain', more);
  more();
}

function tokenIn(authorization = ''): string {
  const [scheme, text = ''] = authorization.split(' ');
  if (scheme !== 'Basic') return text;
  return Buffer.from(text, 'base64').toString().split(':')[1] ?? '';
}
