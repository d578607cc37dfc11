import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type AgentServer, Connections, type Route } from '../../agent-server';

/** Requests to one agent server at a time; the door's own caps are below that unless sandboxes share a server. */
const MOST_OF_SERVER = 4_096;

/**
 * The door's connections to agent servers, with the check of who listens there (docs/sandboxes.md#isolation): not those
 * of the service's own calls, which callers must not be able to use up.
 */
@Injectable()
export class AgentServerRoutes implements OnApplicationShutdown {
  private readonly connections = new Connections(MOST_OF_SERVER);

  /** The way to an agent server. */
  of(agentServer: AgentServer): Route {
    return this.connections.route(agentServer);
  }

  /** Stops using the connections there are to a server that failed: it may reset them. */
  retire(route: Route): void {
    this.connections.retire(route);
  }

  /** Closes the connections when the service ends. */
  async onApplicationShutdown(): Promise<void> {
    await this.connections.destroy();
  }
}
