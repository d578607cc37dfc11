import type { IncomingMessage, Server } from 'node:http';
/**
 * Defers `100 Continue` until a guard needs the body: by default Node sends it before the caller is
 * authenticated (docs/contract.md#order-of-checks).
 */
export declare function deferContinue(server: Server): void;
/** Whether a client waits to be asked for its body. */
export declare function awaitsContinue(request: IncomingMessage): boolean;
/** Sends `100 Continue` to a client that waits for it; does nothing the second time. */
export declare function sendContinue(request: IncomingMessage): void;
