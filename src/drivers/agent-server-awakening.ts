import { type AgentServer, Connections } from '../sandboxes/agent-server';
import { callbackUrl, type Settings } from '../kernel/config';
import { agentServerFile } from './agent-server-environment';

const READY_WITHIN_MS = 1_000;
/** How long the server may take to finish its start; otherwise the sandbox gets a full start. */
const AWAKE_WITHIN_MS = 10_000;
const CONNECTIONS = 4;

/** The address of an agent server without a key. */
type KeylessServer = Omit<AgentServer, 'apiKey'>;

/** Gives agent servers that were pre-warmed, without keys, those of the sandbox that they become. */
export class AgentServerAwakening {
  private readonly connections = new Connections(CONNECTIONS);

  constructor(private readonly settings: Settings) {}

  /** Whether it takes keys by now. */
  async isReady(server: KeylessServer): Promise<boolean> {
    try {
      return (await this.call(server, { method: 'GET', path: '/ready', withinMs: READY_WITHIN_MS })) === 200;
    } catch {
      return false;
    }
  }

  /**
   * @param onceKey what it was started with to know who may do this; it counts for nothing afterwards
   * @throws Error when it does not take them: somebody else may have been quicker
   */
  async awake(server: KeylessServer, onceKey: string, sessionKey: string): Promise<void> {
    const status = await this.call(server, {
      method: 'POST',
      path: '/api/init',
      headers: ['x-init-api-key', onceKey, 'content-type', 'application/json'],
      body: this.bodyFor(sessionKey),
      withinMs: AWAKE_WITHIN_MS,
    });
    if (status !== 200) throw new Error(`its agent server answered its keys with ${status}`);
  }

  /** @returns the status */
  private async call(
    server: KeylessServer,
    call: {
      readonly method: 'GET' | 'POST';
      readonly path: string;
      readonly headers?: readonly string[];
      readonly body?: string;
      readonly withinMs: number;
    },
  ): Promise<number> {
    const { method, path, headers = [], body = null, withinMs } = call;
    const route = this.connections.route(server);
    try {
      const response = await route.pool.request({
        method,
        path: route.prefix + path,
        headers: [...route.headers, ...headers],
        body,
        headersTimeout: withinMs,
        bodyTimeout: withinMs,
      });
      await response.body.dump();
      return response.statusCode;
    } finally {
      this.connections.retire(route);
    }
  }

  private bodyFor(sessionKey: string): string {
    const keys: unknown = JSON.parse(agentServerFile(sessionKey));
    const webhook = {
      base_url: `${callbackUrl(this.settings)}/api/v1/webhooks`,
      event_buffer_size: 1,
      flush_delay: 1,
    };
    return JSON.stringify(Object.assign({ webhooks: [webhook] }, keys));
  }
}
