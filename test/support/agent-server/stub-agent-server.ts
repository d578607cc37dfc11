import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface ArrivedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** An agent server of which only answers are known that a test names; everything else is a 404. */
export class StubAgentServer {
  private readonly requests: ArrivedRequest[] = [];
  private readonly answers = new Map<string, { readonly status: number; readonly body: string | Buffer }>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<StubAgentServer> {
    const server = createServer();
    const answering = new StubAgentServer(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const key = headers['x-session-api-key'];
        answering.requests.push({
          method,
          path: url,
          key: typeof key === 'string' ? key : undefined,
          body: Buffer.concat(chunks).toString('utf8'),
        });
        const [path = ''] = url.split('?');
        const { status, body } = answering.answers.get(`${method} ${path}`) ?? {
          status: 404,
          body: '{"detail":"Not Found"}',
        };
        response.writeHead(status, { 'content-type': 'text/html' }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return answering;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * The requests for a route, in the order of arrival; the service asks others by itself, at any time.
   * @param route method and path, without a query
   */
  arrived(route: string): ArrivedRequest[] {
    return this.requests.filter(({ method, path }) => `${method} ${path.split('?')[0] ?? ''}` === route);
  }

  /** @param route method and path, without a query */
  answer(route: string, body: unknown, status = 200): void {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    this.answers.set(route, { status, body: isRaw ? body : JSON.stringify(body) });
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}
