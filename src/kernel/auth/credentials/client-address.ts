import type { IncomingMessage } from 'node:http';
import { isCallOfSandbox } from './session-cookie';

/** A connection that has ended has no address any more. */
const ADDRESS = Symbol('address');

declare module 'http' {
  interface IncomingMessage {
    [ADDRESS]?: string;
  }
}

/**
 * Finds out, as Express does, the address a request comes from. What a sandbox says of it is not believed.
 * @param trustedHops reverse proxies in front of the service
 */
function addressOf(request: IncomingMessage, trustedHops: number): string {
  const isBelieved = trustedHops > 0 && !isCallOfSandbox(request);
  const forwarded = isBelieved ? request.headers['x-forwarded-for'] : undefined;
  const entries = typeof forwarded === 'string' ? forwarded.split(',').map((entry) => entry.trim()) : [];
  const believed = entries.filter((entry) => entry !== '').slice(-trustedHops);
  return believed[0] ?? request.socket.remoteAddress ?? 'unknown';
}

/**
 * Notes the address of a request as it comes.
 * @param trustedHops reverse proxies in front of the service
 */
export function noteAddress(request: IncomingMessage, trustedHops: number): void {
  request[ADDRESS] = addressOf(request, trustedHops);
}

/**
 * The address a request comes from; behind reverse proxies, as `TRUSTED_HOPS` says. Sandboxes come past them
 * (docs/sandboxes.md#calls-of-sandboxes).
 */
export function clientAddress(request: IncomingMessage): string {
  return request[ADDRESS] ?? addressOf(request, 0);
}
