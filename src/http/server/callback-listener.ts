import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { noteCallsOfSandbox } from '../../auth';

/**
 * Listens at a second address for as long as a server listens at its own. What comes in there is a sandbox's, and answered by
 * the same server: the network decides who reaches which of the two, so nothing has to be believed.
 * @throws errors of listening
 */
export async function listenForSandboxes(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  const listener = createServer({ noDelay: true }, (connection) => {
    // A service that is not ready yet, or stops, refuses here as it does there.
    if (!server.listening) {
      connection.destroy();
      return;
    }
    noteCallsOfSandbox(connection);
    server.emit('connection', connection);
  });
  server.once('close', () => listener.close());
  await new Promise<void>((listening, fail) => {
    listener.once('error', fail);
    listener.listen(port, host, () => {
      listener.off('error', fail);
      listening();
    });
  });
}
