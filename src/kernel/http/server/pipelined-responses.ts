import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Has responses that wait for an earlier one of their connection (pipelining) close with the connection: Node.js
 * notifies only the one that is being sent, and what the others hold would be held for ever.
 */
export function closePipelinedResponses(server: Server): void {
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (response.socket !== null) return;
    let isClosed = false;
    const close = (): void => {
      if (response.socket !== null) return;
      response.destroy();
      // Node.js 24 says so by itself.
      setImmediate(() => isClosed || response.emit('close'));
    };
    socket.setMaxListeners(0).once('close', close);
    response.once('close', () => {
      isClosed = true;
      socket.off('close', close);
    });
  });
}
