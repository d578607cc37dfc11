import ipaddr from 'ipaddr.js';

/** The range of public IPv6 addresses; all others are special-purpose or unassigned. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for addresses of the public internet: global unicast, and neither private, loopback, link-local,
 * reserved nor embedding another address (IPv4-mapped ones are judged by their IPv4 address).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6);
}

/** The canonical form of an IP address in any notation (decimal, octal, hexadecimal), or null for names. */
export function asIpAddress(host: string): string | null {
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : null;
}
