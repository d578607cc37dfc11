import { type IncomingMessage, type ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
/**
 * Answers requests before the ordinary way does.
 * @param onTheOrdinaryWay has a request answered by that after all
 * @returns false for requests that are none of its own
 */
export type Shortcut = (request: IncomingMessage, response: ServerResponse, onTheOrdinaryWay: () => void) => boolean;
/** Express on an HTTP server with the settings of the service. */
export declare class ServiceAdapter extends ExpressAdapter {
    private readonly keepAliveSeconds;
    private shortcut;
    /** @param keepAliveSeconds how long an idle connection is kept; longer than a load balancer in front keeps it */
    constructor(keepAliveSeconds: number);
    initHttpServer(): void;
    /** Has requests go past Express, with what it costs, to something that does all that has to be done for them. */
    take(shortcut: Shortcut): void;
    /** Stops listening, and ends connections that idle: clients would keep them for longer than a stop may take. */
    close(): Promise<unknown> | undefined;
}
