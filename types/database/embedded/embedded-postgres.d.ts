import { StartError } from '../../common';
import { type Purpose } from './data-dir-lock';
/** The log of the launcher. */
export interface LauncherLog {
    info(message: string): void;
    warn(message: string): void;
}
/** How to start the server. */
export interface EmbeddedPostgresOptions {
    /** `DATA_DIR`; created when missing. */
    readonly dataDir: string;
    readonly log: LauncherLog;
    /** The service waits for a command to finish; nothing waits for the service. */
    readonly purpose?: Purpose;
    /** PostgreSQL settings, for tests that need no durability. */
    readonly settings?: Readonly<Record<string, string>>;
    /**
     * Called whenever `initdb` or the server was started and is waited for: what the caller does meanwhile, on another
     * core, takes no time of the start.
     */
    readonly onSpawn?: () => void;
}
/** A running server. */
export interface EmbeddedPostgres {
    /** Connection string of the service's role, which is no superuser; stays the same when the server is restarted. */
    readonly url: string;
    /** Resolves if the server died and could not be restarted. */
    readonly lost: Promise<StartError>;
    /** Stops the server and unlocks the folder. */
    stop(): Promise<void>;
}
/**
 * Starts the PostgreSQL that npm installed, in `DATA_DIR`. First stops what an earlier run left behind; a server
 * that dies is restarted at the same address.
 * @throws DataDirInUseError, StartError with one sentence for the operator
 */
export declare function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres>;
/**
 * Connects to the database of the service that is running with this `DATA_DIR`; if none is, starts the database
 * until the caller calls `stop`.
 * @throws StartError
 */
export declare function connectEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres>;
