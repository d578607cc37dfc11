import { Connections } from '../../../../agent-server';
import { callbackUrl, type Settings } from '../../../../config';
import type { ServerLocation } from '../../../record/sandbox-driver';
import { agentServerFile } from '../../agent-server-environment';

const WITHIN_MS = 2_000;
const CONNECTIONS = 4;

/** Gives agent servers that were started ahead, without keys, those of the sandbox that they become. */
export class AgentServerAwakening {
  private readonly connections = new Connections(CONNECTIONS);

  constructor(private readonly settings: Settings) {}

  /**
   * @param onceKey what it was started with to know who may do this; it counts for nothing afterwards
   * @throws Error when it does not take them: somebody else may have been quicker
   */
  async awake(server: ServerLocation, onceKey: string, sessionKey: string): Promise<void> {
    const route = this.connections.route(server);
    const response = await route.pool.request({
      method: 'POST',
      path: `${route.prefix}/api/init`,
      headers: [...route.headers, 'x-init-api-key', onceKey, 'content-type', 'application/json'],
      body: this.bodyFor(sessionKey),
      headersTimeout: WITHIN_MS,
      bodyTimeout: WITHIN_MS,
    });
    await response.body.dump();
    this.connections.retire(route);
    if (response.statusCode !== 200)
      throw new Error(`its agent server answered its keys with ${response.statusCode}`);
  }

  private bodyFor(sessionKey: string): string {
    const keys: unknown = JSON.parse(agentServerFile(sessionKey));
    const webhook = {
      base_url: `${callbackUrl(this.settings)}/api/v1/webhooks`,
      ...{ event_buffer_size: 1, flush_delay: 1 },
    };
    return JSON.stringify(Object.assign({ webhooks: [webhook] }, keys));
  }
}
