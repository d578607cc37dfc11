import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const connections = new WeakSet<Socket>();

/** Says that a connection comes from a sandbox: whatever is sent on it, no session counts (docs/sandboxes.md#calls-of-sandboxes). */
export function noteCallsOfSandbox(connection: Socket): void {
  connections.add(connection);
}

/** Whether a request comes from a sandbox. */
export function isCallOfSandbox({ socket }: IncomingMessage): boolean {
  return connections.has(socket);
}
