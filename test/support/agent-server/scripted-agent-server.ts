import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import type { AgentServer } from '../../../src/sandboxes/agent-server';

/** A request as it came. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Responder = (request: SeenRequest, response: ServerResponse, socket: Socket) => void;

/** An agent server that a test gives each response, down to its connection. */
export class ScriptedAgentServer {
  respond: Responder = () => undefined;
  readonly seen: SeenRequest[] = [];
  readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly target: AgentServer,
  ) {}

  static async start(apiKey: string): Promise<ScriptedAgentServer> {
    const server = createServer();
    const scripted = new ScriptedAgentServer(server, { baseUrl: await listen(server), apiKey });
    server.on('connection', (socket) => scripted.sockets.add(socket));
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
        scripted.seen.push(one);
        scripted.respond(one, response, request.socket);
      });
    });
    return scripted;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
  }
}

/** Responds with JSON. */
export function json(status: number, body: unknown): Responder {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

/** Has a server listen on a free port of loopback. @returns its address */
export async function listen(server: TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
