import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { noteCallsOfSandbox } from '../../auth';
import { userAtOtherEnd } from '../../common';

/** The port on which only sandboxes can connect. */
interface ForSandboxes {
  /** @param serve is given connections that are paused */
  serveBy(serve: (connection: Socket) => void): void;
  close(): void;
}

/**
 * Has a server answer at a second address as well, while it listens at its own. What comes in there is a sandbox's: the network
 * decides who reaches which of the two, so nothing has to be believed.
 */
export function serveSandboxes(server: Server, address: ForSandboxes): void {
  address.serveBy((connection) => void serve(server, connection));
  server.once('close', () => address.close());
}

async function serve(server: Server, connection: Socket): Promise<void> {
  // Until the server accepts them.
  connection.on('error', () => undefined);
  const user = await userAtOtherEnd(connection);
  // During shutdown this port refuses connections as the main one does.
  if (!server.listening || connection.destroyed) {
    connection.destroy();
    return;
  }
  noteCallsOfSandbox(connection, user);
  server.emit('connection', connection);
  connection.resume();
}
