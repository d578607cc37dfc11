import { type ServerUser } from './server-user';
/** The PostgreSQL programs, executable by the server's user. */
export interface Binaries {
    readonly initdb: string;
    readonly postgres: string;
}
/**
 * Finds the programs that npm installed for this platform and makes them usable by the server's user.
 * @param ownCopies folder for the copy of an ordinary user
 * @throws StartError when npm has none for this platform
 */
export declare function findBinaries(user: ServerUser, ownCopies: string): Promise<Binaries>;
/**
 * Creates the library symlinks of an install script that did not run. Where that is not possible, or the user
 * cannot read the package, uses a copy, made once per version.
 * @throws StartError when neither works
 */
export declare function usableBinaries(home: string, user: ServerUser, copies: string): Promise<Binaries>;
