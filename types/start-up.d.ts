import type { Installation } from './app.module';
import { SecretBox, type StartError } from './common';
import type { Settings } from './config';
import type { Extensions } from './extensions';
import { DataDir } from './data-dir';
/** The log of a start. */
export interface StartLog {
    info(message: string): void;
    warn(message: string): void;
}
/** How an installation is prepared. */
export interface Preparation {
    /** A `command` connects to the embedded database of a service that is already running. */
    readonly purpose: 'service' | 'command';
    readonly extensions: Extensions;
    readonly log: StartLog;
    /** Is called whenever a program of PostgreSQL was started that the preparation then waits for. */
    readonly onSpawn?: () => void;
}
/** Everything the application needs before it can be composed, ready to use. */
export interface Prepared {
    readonly installation: Installation;
    readonly dataDir: DataDir;
    /** Has `SECRET_KEY`, and those of `SECRET_KEYS_OLD`. */
    readonly box: SecretBox;
    /** The migrations that this start ran. */
    readonly migrated: string[];
    /** Resolves if the embedded database died and cannot be restarted. */
    readonly lost: Promise<StartError>;
    /** Stops the embedded database, if this process runs it. */
    close(): Promise<void>;
}
/**
 * Opens `DATA_DIR`, starts or connects to the database, migrates it, and checks the key for secrets.
 * @throws StartError
 */
export declare function prepare(settings: Settings, { purpose, extensions, log, onSpawn }: Preparation): Promise<Prepared>;
