import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const pendingContinues = new WeakMap<IncomingMessage, () => void>();

/**
 * Defers `100 Continue` until a guard needs the body: by default Node sends it before the caller is
 * authenticated (docs/contract.md#order-of-checks).
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const keepAlive = response.shouldKeepAlive;
    // A refused client may send its body anyway: it must not be parsed as another request.
    response.shouldKeepAlive = false;
    pendingContinues.set(request, () => {
      response.shouldKeepAlive = keepAlive;
      response.writeContinue();
    });
    server.emit('request', request, response);
  });
}

/** Whether a client waits to be asked for its body. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return pendingContinues.has(request);
}

/** Sends `100 Continue` to a client that waits for it; does nothing the second time. */
export function sendContinue(request: IncomingMessage): void {
  pendingContinues.get(request)?.();
  pendingContinues.delete(request);
}
