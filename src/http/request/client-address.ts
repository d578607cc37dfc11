import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

const GROUP_BYTES = 8;

/** The address a request comes from; behind reverse proxies, as `TRUSTED_HOPS` says. */
export function clientAddress(request: Request): string {
  return request.ip ?? 'unknown';
}

/**
 * The address by which a request is counted: of IPv6 the first 64 bits, since whoever has one such address has all of
 * them.
 */
export function countedAddress(request: Request): string {
  const text = clientAddress(request);
  if (!text.includes(':') || !ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${Buffer.from(address.toByteArray().slice(0, GROUP_BYTES)).toString('hex')}/64`;
}
