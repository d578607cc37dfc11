import { type EmbeddedConfig } from './config/embedded-config';
/**
 * An agent server that is started ahead, for whichever sandbox comes: it answers probes, and everything else with 503 until
 * `POST /api/init`, once, gives it keys. From then on it is an {@link EmbeddedServer}.
 */
export declare class DeferredServer {
    private readonly config;
    private readonly folder;
    private readonly http;
    private awake;
    constructor(config: EmbeddedConfig, folder: string);
    /** Listens. @returns the address it is reached at */
    listen(): Promise<string>;
    /** Stops, as an {@link EmbeddedServer} does. */
    close(): Promise<void>;
    private handle;
    private init;
}
