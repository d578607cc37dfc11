import { type Server } from 'node:http';
import { Conversations } from './conversations/conversations';
import type { EmbeddedConfig } from './config/embedded-config';
import { type Around } from './api/http-api';
/**
 * A small agent server of our own that speaks the real protocol: conversations, events, WebSockets,
 * webhooks, commands and files. It chats with a model, or echoes, and has no tools: it is for trying the
 * service out and for tests.
 */
export declare class EmbeddedServer {
    private readonly config;
    readonly conversations: Conversations;
    readonly http: Server;
    private readonly bash;
    private readonly folder;
    private readonly sockets;
    private readonly startedAt;
    private lastWorkAt;
    /**
     * @param folder the sandbox: where commands run
     * @param around what happens around the handling of a request; tests make it fail with that
     */
    constructor(config: EmbeddedConfig, folder: string, around?: Around);
    /** Listens. @returns the address it is reached at */
    listen(): Promise<string>;
    /** Stops: no more calls, runs are interrupted, webhooks get what is left. */
    close(): Promise<void>;
    private get port();
    private routes;
    private info;
}
