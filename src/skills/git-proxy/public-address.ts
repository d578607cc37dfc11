import ipaddr from 'ipaddr.js';

/** What is handed out on the public internet; everything else in IPv6 is special or not assigned. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for addresses of the public internet: global unicast, and neither private, loopback, link-local,
 * reserved nor one that wraps another address (mapped ones are judged by what they wrap).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6);
}

/** The usual spelling of an IP address in any notation (decimal, octal, hexadecimal), or null for names. */
export function asIpAddress(host: string): string | null {
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : null;
}
