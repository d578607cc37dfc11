import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** By connection, the user of this host whose it is. */
const connections = new WeakMap<Socket, number | null>();

/**
 * Says that a connection comes from a sandbox: whatever is sent on it, no session counts (docs/sandboxes.md#calls-of-sandboxes).
 * @param user of this host, by which sandboxes of root are told apart; null where that is not known
 */
export function noteCallsOfSandbox(connection: Socket, user: number | null): void {
  connections.set(connection, user);
}

/** Whether a request comes from a sandbox. */
export function isCallOfSandbox({ socket }: IncomingMessage): boolean {
  return connections.has(socket);
}

/** The user of this host whose sandbox a request comes from; null where that is not known. */
export function userOfSandbox({ socket }: IncomingMessage): number | null {
  return connections.get(socket) ?? null;
}
