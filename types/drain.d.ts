import type { Server } from 'node:http';
/** Shuts a server down without dropping responses: it tracks the requests in flight. */
export declare class Drain {
    private readonly server;
    private readonly unanswered;
    private closesConnections;
    /** Starts tracking; call it before the server listens. */
    constructor(server: Server);
    /** From now on connections are closed after their response, so that callers connect to another replica next time. */
    closeConnections(): void;
    /**
     * Stops accepting connections and waits for the requests in flight. At the deadline those without a response
     * get a 503, and responses that are only partly written are cut off.
     */
    finish(deadlineMs: number): Promise<void>;
    private refuseTheRest;
}
