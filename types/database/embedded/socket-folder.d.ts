import { type ServerUser } from './server-user';
/**
 * Where the server listens, and the service looks for it: a Unix socket in a folder that only the server's user and
 * root can enter. Unlike a TCP port, nobody else can take it while the server is away
 * (docs/decisions/0002-embedded-postgresql.md).
 */
export declare class SocketFolder {
    readonly path: string;
    private readonly user;
    private readonly isTemporary;
    private constructor();
    /**
     * The data folder itself; a temporary folder where its path is too long for a socket, its file system has none, or
     * other users can put another folder in the place of one above it. No server may run in the data folder.
     * @param warn hears of a folder that others can replace, where there is no temporary one either
     * @throws StartError when there is neither
     */
    static open(dataFolder: string, user: ServerUser, warn: (message: string) => void): Promise<SocketFolder>;
    /** What the server is told. It runs in its data folder, whose parents may be closed to its user. */
    get settings(): Readonly<Record<string, string>>;
    /** The address of a role, for every process that may enter the folder. */
    addressOf(role: string, password: string): string;
    /**
     * Removes what a killed server left: its lock file may name a pid that another process has by now.
     * @throws StartError when others can enter the folder
     */
    prepare(): Promise<void>;
    /** Removes the folder if it is temporary. The server has ended. */
    close(): Promise<void>;
}
/** The folder in an address that {@link SocketFolder.addressOf} made; null in an address of a TCP port. */
export declare function socketFolderIn(address: string): string | null;
/** Whether the path is a folder that its owner, which is `uid`, has for itself. */
export declare function isPrivate(path: string, uid: number | undefined): Promise<boolean>;
/** Removes the temporary folder of a run that was killed, which listened at `address`. */
export declare function removeLeftover(address: string, user: ServerUser): Promise<void>;
