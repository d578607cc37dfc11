import type { Socket } from 'node:net';
/**
 * Whether the other end of a connection is a socket of a user: a port that the user's process has left may be anyone's.
 * The kernel's own list says it, so that nothing has to be sent to find out (docs/sandboxes.md#isolation).
 * @returns true also where it cannot be found out: for other hosts, and on systems without that list
 */
export declare function isListenerOf(uid: number, socket: Socket): Promise<boolean>;
