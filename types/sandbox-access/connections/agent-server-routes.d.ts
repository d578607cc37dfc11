import { type OnApplicationShutdown } from '@nestjs/common';
import { type AgentServer, type Route } from '../../agent-server';
/**
 * The door's connections to agent servers; who listens there is checked (docs/sandboxes.md#isolation). Separate from
 * the connections of the service's own calls, which callers must not be able to exhaust.
 */
export declare class AgentServerRoutes implements OnApplicationShutdown {
    private readonly connections;
    /** The route to an agent server. */
    of(agentServer: AgentServer): Route;
    /** Stops reusing open connections to a server that failed: it may reset them. */
    retire(route: Route): void;
    /** Closes the connections on shutdown. */
    onApplicationShutdown(): Promise<void>;
}
