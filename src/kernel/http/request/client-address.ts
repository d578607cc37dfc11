import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isCallOfSandbox, userOfSandbox } from '../../auth';

const GROUP_BYTES = 8;
/** Before an IPv4 address, as sockets have it that listen for both. */
const MAPPED = '::ffff:';

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

/**
 * The address by which a request is counted: of IPv6 the first 64 bits, since a client with one such address has all of
 * them. What agents use up counts for nobody else at their address, whatever they say that it is.
 */
export function countedAddress(request: IncomingMessage): string {
  if (!isCallOfSandbox(request)) return grouped(clientAddress(request));
  const address = grouped(request.socket.remoteAddress ?? 'unknown');
  // Those of this host have one address.
  const user = userOfSandbox(request);
  return `${address}, sandboxes${user === null ? '' : ` of user ${user}`}`;
}

function grouped(text: string): string {
  const mapped = text.startsWith(MAPPED) ? text.slice(MAPPED.length) : text;
  if (isIPv4(mapped)) return mapped;
  if (!text.includes(':') || !ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${Buffer.from(address.toByteArray().slice(0, GROUP_BYTES)).toString('hex')}/64`;
}
