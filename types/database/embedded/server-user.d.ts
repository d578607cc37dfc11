/** The user a program of PostgreSQL runs as; null means the user of this process. */
export type ServerUser = {
    readonly uid: number;
    readonly gid: number;
} | null;
/**
 * PostgreSQL refuses to run as root. Started as root it gets a user of its own, which no other process has; a
 * folder that an ordinary user's start made stays with that user.
 * @param folder the server's folder, which need not exist yet
 * @throws StartError when the folder belongs to a user that this process cannot switch to
 */
export declare function serverUserFor(folder: string): Promise<ServerUser>;
/** The user that runs initdb, which looks up the name of its user, so the uid must be in /etc/passwd. */
export declare function initialUser(user: ServerUser): Promise<ServerUser>;
/** The first of the folders on the way to `path`, and `path` itself, that the user cannot enter or read; or null. */
export declare function unreachableFor(user: ServerUser, path: string): Promise<string | null>;
