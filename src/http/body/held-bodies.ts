import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const held = new WeakMap<IncomingMessage, () => void>();

/**
 * Has callers who ask first (`Expect: 100-continue`) wait until their body is wanted: Node by itself would let
 * it come before anybody knows who sends it (docs/contract.md#order-of-checks).
 */
export function holdBodies(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const keepAlive = response.shouldKeepAlive;
    // Whoever is refused may send the body all the same: it must not be taken for another request.
    response.shouldKeepAlive = false;
    held.set(request, () => {
      response.shouldKeepAlive = keepAlive;
      response.writeContinue();
    });
    server.emit('request', request, response);
  });
}

/** Lets a body come that is held, once. */
export function letBodyCome(request: IncomingMessage): void {
  held.get(request)?.();
  held.delete(request);
}
