import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { noteCallsOfSandbox } from '../../auth';
import { userAtOtherEnd } from '../../common';

/** Where connections come in of which the network says that they are of sandboxes. */
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
  // A service that stops refuses here as it does there.
  if (!server.listening || connection.destroyed) {
    connection.destroy();
    return;
  }
  noteCallsOfSandbox(connection, user);
  server.emit('connection', connection);
  connection.resume();
}
