import type { Server } from 'node:http';
import { type BashService } from './bash-service';
import type { Conversations } from '../conversations/conversations';
/** The WebSockets: `/sockets/events/{conversation id}` and `/sockets/bash-events`. */
export declare class EventSockets {
    private readonly conversations;
    private readonly bash;
    private readonly sessionApiKeys;
    private readonly server;
    private readonly pings;
    private readonly silent;
    constructor(conversations: Conversations, bash: BashService | null, sessionApiKeys: readonly string[]);
    /** Takes the upgrades of an HTTP server. */
    attach(http: Server): void;
    /** Ends all of them. */
    close(): void;
    private serverOf;
    /** The first frame has to bring the key. */
    private waitForAuth;
    private serveEvents;
    /** Cuts off peers that did not answer the ping before. */
    private pingAll;
}
