import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { clientAddress, isCallOfSandbox, userOfSandbox } from '../../auth';

const GROUP_BYTES = 8;
/** Before an IPv4 address, as sockets have it that listen for both. */
const MAPPED = '::ffff:';

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
