import type { Binaries } from './binaries';
import type { ServerUser } from './server-user';
import type { SocketFolder } from './socket-folder';
/** What a server process is started with. */
export interface ServerSetup {
    readonly binaries: Binaries;
    readonly user: ServerUser;
    readonly folder: string;
    readonly socket: SocketFolder;
    /** PostgreSQL settings in addition to {@link SETTINGS}. */
    readonly settings: Readonly<Record<string, string>>;
    /** Called when the server was started and is waited for. */
    readonly onSpawn?: () => void;
}
/** A server process, as a child of this one. */
export declare class Postmaster {
    private readonly child;
    private readonly output;
    /** Resolves when the process has ended. */
    readonly ended: Promise<void>;
    private constructor();
    /**
     * Starts the server and waits until it accepts connections. Its folder must not be in use (`stopLeftovers`).
     * @throws StartError with the end of the server's output
     */
    static start(setup: ServerSetup): Promise<Postmaster>;
    /** Fast shutdown, or an immediate one (with recovery at the next start) when that takes too long. */
    stop(): Promise<void>;
    private ready;
    private isReady;
    private endedWithin;
}
/**
 * Stops what an earlier run left in the data folder: a server whose service died, or the children of a server that
 * died, and removes the pid file. The caller holds the folder's lock, so none of it is in use.
 * @returns whether a process was found
 * @throws StartError when one belongs to another user or does not end
 */
export declare function stopLeftovers(folder: string): Promise<boolean>;
