import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BashService } from './api/bash-service';
import { conversationRoutes } from './api/conversation-routes';
import { Conversations } from './conversations/conversations';
import type { EmbeddedConfig } from './config/embedded-config';
import { eventRoutes } from './api/event-routes';
import { EventSockets } from './api/event-sockets';
import { type Around, HttpApi, ok, type RouteEntry } from './api/http-api';
import { SandboxFolder } from './config/sandbox-folder';
import { sandboxRoutes } from './api/sandbox-routes';

/** The version of the real agent server whose protocol is spoken, as far as it is. */
const PROTOCOL_VERSION = '1.58.2';

/**
 * A small agent server of our own that speaks the real protocol: conversations, events, WebSockets,
 * webhooks, commands and files. It chats with a model, or echoes, and has no tools: it is for trying the
 * service out and for tests.
 */
export class EmbeddedServer {
  readonly conversations: Conversations;
  readonly http: Server;

  private readonly bash: BashService | null;
  private readonly folder: SandboxFolder;
  private readonly sockets: EventSockets;
  private readonly startedAt = performance.now();
  private lastWorkAt = performance.now();

  /**
   * @param folder the sandbox: where commands run
   * @param around what happens around the handling of a request; tests make it fail with that
   */
  constructor(
    private readonly config: EmbeddedConfig,
    folder: string,
    around: Around = (_request, next) => next(),
  ) {
    this.folder = new SandboxFolder(config.confinedTo);
    this.conversations = new Conversations(config, this.folder);
    this.bash = config.confinedTo === null ? new BashService(folder) : null;
    this.sockets = new EventSockets(this.conversations, this.bash, config.sessionApiKeys);
    const api = new HttpApi(this.routes(), config, (request, next, connection) => {
      if (request.method !== 'GET') this.lastWorkAt = performance.now();
      return around(request, next, connection);
    });
    this.http = createServer((request, response) => void api.handle(request, response));
    this.sockets.attach(this.http);
  }

  /** Listens. @returns the address it is reached at */
  async listen(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.http.once('error', reject);
      this.http.listen(this.config.port, this.config.host, resolve);
    });
    return `http://${this.config.host}:${this.port}`;
  }

  /** Stops: no more calls, runs are interrupted, pending events are posted. */
  async close(): Promise<void> {
    this.sockets.close();
    this.bash?.close();
    const closed = new Promise((resolve) => this.http.close(resolve));
    await this.conversations.close();
    this.http.closeAllConnections();
    await closed;
  }

  private get port(): number {
    const address: AddressInfo | string | null = this.http.address();
    return typeof address === 'object' && address ? address.port : this.config.port;
  }

  private routes(): RouteEntry[] {
    return [
      ['GET', '/alive', () => ok({ status: 'ok' })],
      ['GET', '/health', () => ok({ status: 'ok' })],
      ['GET', '/ready', () => ok({ status: 'ready' })],
      ['GET', '/server_info', () => ok(this.info())],
      ['GET', '/', () => ok(this.info())],
      ...conversationRoutes(this.conversations),
      ...eventRoutes(this.conversations),
      ...sandboxRoutes(this.bash, this.folder),
    ];
  }

  private info(): Record<string, unknown> {
    const { model, baseUrl, apiKey } = this.config.llm;
    const kind = model && (baseUrl || apiKey) ? 'chat' : 'echo';
    const seconds = (since: number): number => (performance.now() - since) / 1000;
    return {
      uptime: seconds(this.startedAt),
      idle_time: seconds(this.lastWorkAt),
      title: `Embedded agent server (${kind})`,
      version: PROTOCOL_VERSION,
      sdk_version: 'embedded',
      tools_version: 'embedded',
      workspace_version: 'unknown',
      usable_tools: [],
      runtime_idle_timeout_seconds: null,
      capabilities: ['idempotent_conversation_create_v1'],
    };
  }
}
