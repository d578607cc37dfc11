import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { noteCallsOfSandbox } from '../../auth';

/** Where connections come in of which the network says that they are of sandboxes. */
interface ForSandboxes {
  serveBy(serve: (connection: Socket) => void): void;
  close(): void;
}

/**
 * Has a server answer at a second address as well, while it listens at its own. What comes in there is a sandbox's: the network
 * decides who reaches which of the two, so nothing has to be believed.
 */
export function serveSandboxes(server: Server, address: ForSandboxes): void {
  address.serveBy((connection) => {
    // A service that stops refuses here as it does there.
    if (!server.listening) {
      connection.destroy();
      return;
    }
    noteCallsOfSandbox(connection);
    server.emit('connection', connection);
  });
  server.once('close', () => address.close());
}
