import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import {
  type ApiRequest,
  type ApiResponse,
  HttpApi,
  HttpError,
  isAllowedKey,
  ok,
  readJson,
} from './api/http-api';
import { type EmbeddedConfig, webhookSchema } from './config/embedded-config';
import { EmbeddedServer } from './embedded-server';

const INIT = '/api/init';

const initSchema = z.strictObject({
  session_api_keys: z.array(z.string()).optional(),
  secret_key: z.string().optional(),
  webhooks: z.array(webhookSchema).optional(),
});

/**
 * An agent server that is pre-warmed, for whichever sandbox comes: it answers probes, and everything else with 503 until
 * `POST /api/init`, once, gives it keys. From then on it is an {@link EmbeddedServer}.
 */
export class DeferredServer {
  private readonly http: Server;
  private awake: EmbeddedServer | null = null;

  constructor(
    private readonly config: EmbeddedConfig,
    private readonly folder: string,
  ) {
    const api = new HttpApi(
      [
        ['GET', '/alive', () => ok({ status: 'ok' })],
        ['GET', '/health', () => ok({ status: 'ok' })],
        ['GET', '/ready', () => ok({ status: 'ready' })],
        ['GET', INIT, () => ok({ state: this.awake === null ? 'dormant' : 'ready', error: null })],
        ['POST', INIT, (request) => this.init(request)],
      ],
      { sessionApiKeys: [], corsOrigins: config.corsOrigins },
      (_request, next) => next(),
    );
    this.http = createServer((request, response) => this.handle(api, request, response));
    this.http.on('upgrade', (request, socket, head) => {
      if (this.awake?.http.emit('upgrade', request, socket, head) !== true) socket.destroy();
    });
  }

  /** Listens. @returns the address it is reached at */
  async listen(): Promise<string> {
    const { host, port } = this.config;
    await new Promise<void>((resolve, reject) => {
      this.http.once('error', reject);
      this.http.listen(port, host, resolve);
    });
    const address = this.http.address();
    return `http://${host}:${typeof address === 'object' && address ? address.port : port}`;
  }

  /** Stops, as an {@link EmbeddedServer} does. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.http.close(resolve));
    await this.awake?.close();
    this.http.closeAllConnections();
    await closed;
  }

  private handle(api: HttpApi, request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').replace(/\?.*$/s, '');
    if (this.awake !== null && path !== INIT) this.awake.http.emit('request', request, response);
    else if (path.startsWith('/api/') && path !== INIT) asleep(response);
    else void api.handle(request, response);
  }

  private init(request: ApiRequest): ApiResponse {
    const { secretKey } = this.config;
    const given = request.headers['x-init-api-key'];
    if (secretKey === null || !isAllowedKey(given?.toString(), [secretKey]))
      throw new HttpError(401, 'Unauthorized');
    const body = readJson(request, initSchema);
    if (this.awake !== null) throw new HttpError(400, 'The server is not dormant.');
    this.awake = new EmbeddedServer(
      {
        ...this.config,
        sessionApiKeys: body.session_api_keys ?? this.config.sessionApiKeys,
        secretKey: body.secret_key ?? secretKey,
        webhooks: body.webhooks ?? this.config.webhooks,
      },
      this.folder,
    );
    return ok({ state: 'ready', error: null });
  }
}

function asleep(response: ServerResponse): void {
  const exception = '503: server is in deferred-init state';
  response.writeHead(503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ detail: 'Internal Server Error', exception }));
}
