import ipaddr from 'ipaddr.js';

/** The range of public IPv6 addresses; all others are special-purpose or unassigned. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** The configuration service of Azure for its machines, credentials included; the only one with an address that looks public. */
const AZURE_HOST = '168.63.129.16';

/** Networks that are not of the internet: private ones, the metadata of clouds, this host, many hosts at once. */
export const NOT_PUBLIC_IPV4: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  `${AZURE_HOST}/32`,
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** Where clouds have what their machines are to know, apart from link-local addresses: Azure, Oracle, Alibaba, Amazon. */
export const CLOUD_ADDRESSES = [AZURE_HOST, '192.0.0.192', '100.100.100.200', 'fd00:ec2::254'];

/** The address of IPv4 is in the last bytes of one for translation (RFC 6052). */
const TRANSLATED_AT = 12;

/**
 * True for addresses of the public internet: global unicast, and neither private, loopback, link-local, reserved, a cloud's
 * for its machines nor embedding another address (IPv4-mapped ones are judged by their IPv4 address).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || isOfCloud(text)) return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6);
}

/** True where clouds answer their machines, also in the forms of IPv6 that lead to an address of IPv4. */
export function isOfCloud(address: string): boolean {
  const given = ipaddr.process(address);
  const meant =
    given.range() === 'rfc6052' ? new ipaddr.IPv4(given.toByteArray().slice(TRANSLATED_AT)) : given;
  return CLOUD_ADDRESSES.includes(meant.toString()) || meant.range() === 'linkLocal';
}

/** The canonical form of an IP address in any notation (decimal, octal, hexadecimal), or null for names. */
export function asIpAddress(host: string): string | null {
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : null;
}
