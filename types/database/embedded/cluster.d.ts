import type { Binaries } from './binaries';
import { type ServerUser } from './server-user';
/** Options to spawn a PostgreSQL program with: its user, and an environment without the service's secrets. */
export declare function runAs(user: ServerUser): {
    uid?: number;
    gid?: number;
    env: NodeJS.ProcessEnv;
};
/**
 * The path of the data folder as the server gets it. A user other than ours may lack access to a parent folder (a
 * home of mode 0700); on Linux the server can instead refer to the folder it was started in.
 */
export declare function folderArgument(user: ServerUser, folder: string): string;
/** Who hears of the creation of a cluster. */
interface Creation {
    readonly log?: {
        info(message: string): void;
    };
    /** Called when `initdb` was started. */
    readonly onSpawn?: () => void;
}
/** The data folder of the cluster in `home`. */
export declare function dataFolder(home: string): string;
/**
 * Opens the cluster in `home`, created on first use: UTF-8, SCRAM passwords, checksums, and the same collation and
 * case rules on every platform. Files of another user are handed over to `user`; no server may run on them.
 * @returns the data folder
 * @throws StartError when it cannot be created
 */
export declare function openCluster(home: string, binaries: Binaries, user: ServerUser, creation?: Creation): Promise<string>;
export {};
