import type Docker from 'dockerode';
import type { Settings } from '../../../config';
/** The engine cannot be used at the moment; the sentence says what to do. */
export declare class EngineAwayError extends Error {
    constructor(message: string, options?: ErrorOptions);
}
/** What an engine that answers says of itself. */
export interface EngineInfo {
    /** Tells it from other engines, for good. */
    readonly id: string;
    /** Whether the users of containers are numbers from 0 to 65535 only. */
    readonly hasFewUsers: boolean;
    /** Limits that it cannot enforce. */
    readonly unlimited: readonly string[];
}
/** The connection to a container engine (`DOCKER_HOST`); the library is loaded with the first call. */
export declare class Engine {
    private readonly settings;
    /** By how long they wait for an answer. */
    private readonly clients;
    constructor(settings: Pick<Settings, 'DOCKER_HOST' | 'DOCKER_CERT_PATH'>);
    get address(): string;
    /** The name or address of the engine's host; null where it is reached by a socket of this host. */
    get remoteHost(): string | null;
    /**
     * Calls the engine.
     * @param waitMs for how long it may be silent
     * @throws EngineAwayError when it does not answer, or not to us; what the engine says otherwise
     */
    use<Result>(call: (docker: Docker) => Promise<Result>, waitMs?: number): Promise<Result>;
    isThere(): Promise<boolean>;
    /** @throws EngineAwayError also where something else answers */
    info(): Promise<EngineInfo>;
    private whatItSays;
    private client;
    private connect;
    /** What to do about an error that is not the engine's answer; null for an answer. */
    private sentenceFor;
}
/** The status of the engine's answer to a call that failed; null where it did not answer. */
export declare function statusOf(error: unknown): number | null;
/** Waits for a call that may find that there is nothing (any more), or that it is done already. */
export declare function unless(statuses: readonly number[], call: Promise<unknown>): Promise<void>;
/** The engine's own words for what it refused. */
export declare function reasonOf(error: unknown): string;
