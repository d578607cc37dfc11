import { Pool } from 'undici';
import type { AgentServer } from '../protocol';
/** Where calls for one agent server go: its connections, and the path its routes start with. */
export interface Route {
    readonly pool: Pool;
    readonly prefix: string;
    /** Names and values alternating: what a gateway in between wants with each request. */
    readonly headers: readonly string[];
}
/** Kept-alive connections, one pool for each agent server (docs/decisions/0007-http-client-of-the-send-path.md). */
export declare class Connections {
    private readonly maxPerServer;
    private readonly entries;
    /** Retired pools whose calls have not ended yet. */
    private readonly closing;
    /** @param maxPerServer parallel connections to one agent server; further calls wait for a free one */
    constructor(maxPerServer: number);
    /**
     * @param server `baseUrl` possibly has a path before the routes
     * @throws TypeError when it is no http or https address
     */
    route(server: Omit<AgentServer, 'apiKey'>): Route;
    /**
     * Stops using the present connections to a server: calls under way end, new calls open new ones. An agent
     * server resets its kept-alive connection after an unhandled 500, and the next call would hit that.
     */
    retire(route: Route): void;
    /** Closes everything; calls under way fail. */
    destroy(): Promise<void>;
    private sweep;
}
