import type { SocketFolder } from './socket-folder';
/** The cluster's superuser, under the name that clusters have had from the first release on. */
export declare const SUPERUSER = "service";
/** The role the service connects as: the owner of everything in it, and no superuser. */
export declare const SERVICE_ROLE = "conversation_service";
/** The superuser's password of a cluster that was just made, or by a release whose service was the superuser. */
export declare const INITIAL_PASSWORD = "password";
/**
 * Ensures the service is not a superuser: makes its role, gives it what the superuser owned, and
 * changes the superuser's password, which earlier releases wrote where every sandbox of theirs could read it. Done
 * once for a cluster; the next start repairs one that was killed in between.
 * @param home folder of the cluster, whose server listens in `socket`
 * @returns the address of the service's role
 * @throws StartError when the passwords are lost
 */
export declare function prepareRoles(home: string, socket: SocketFolder): Promise<string>;
/**
 * The address of the superuser of a cluster whose roles are prepared, for what tests do as operators.
 * @param url the address of the service's role
 */
export declare function superuserAddress(home: string, url: string): Promise<string>;
