import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClusterAccess } from '../../../src/drivers/kubernetes/cluster/cluster-access';

/** Answers one request. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** An API server that does what a test wants of it, request by request. */
export class ScriptedApiServer {
  /** Method and address of what arrived. */
  readonly arrived: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly access: ClusterAccess,
  ) {}

  /** @param answer decides by number, from 0, and request */
  static async start(answer: (request: IncomingMessage, n: number) => Answer): Promise<ScriptedApiServer> {
    const server = createServer((request, response) => {
      const { arrived } = scripted;
      arrived.push(`${request.method} ${request.url}`);
      request.resume();
      answer(request, arrived.length - 1)(response, request);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const scripted = new ScriptedApiServer(server, {
      server: `http://127.0.0.1:${port}`,
      namespace: 'default',
      isInside: false,
      credentials: () => Promise.resolve({ version: '', tls: {}, headers: [] }),
    });
    return scripted;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    // Also those whose requests are still under way.
    this.server.closeAllConnections();
    await closed;
  }
}

/** A whole answer in JSON. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** A watch with these events, which stays open unless it is to end. */
export function watch(events: readonly unknown[], then: 'stay' | 'end' | 'break' = 'stay'): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    response.write(text === '' ? '\n' : text, () => {
      if (then === 'end') response.end();
      else if (then === 'break') response.destroy();
    });
  };
}

/** What the cluster answers where it does not know a version any more. */
export const GONE = {
  kind: 'Status',
  code: 410,
  reason: 'Expired',
  message: 'too old resource version: 1 (7)',
};
