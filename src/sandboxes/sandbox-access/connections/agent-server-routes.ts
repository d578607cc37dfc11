import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type AgentServer, Connections, type Route } from '../../agent-server';

/** Concurrent requests to one agent server; the door's own limits are lower unless sandboxes share a server. */
const MAX_PER_SERVER = 4_096;

/**
 * The door's connections to agent servers; who listens there is checked (docs/sandboxes.md#isolation). Separate from
 * the connections of the service's own calls, which callers must not be able to exhaust.
 */
@Injectable()
export class AgentServerRoutes implements OnApplicationShutdown {
  private readonly connections = new Connections(MAX_PER_SERVER);

  /** The route to an agent server. */
  of(agentServer: AgentServer): Route {
    return this.connections.route(agentServer);
  }

  /** Stops reusing open connections to a server that failed: it may reset them. */
  retire(route: Route): void {
    this.connections.retire(route);
  }

  /** Closes the connections on shutdown. */
  async onApplicationShutdown(): Promise<void> {
    await this.connections.destroy();
  }
}
