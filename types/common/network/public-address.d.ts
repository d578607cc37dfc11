/**
 * True for addresses of the public internet: global unicast, and neither private, loopback, link-local,
 * reserved nor embedding another address (IPv4-mapped ones are judged by their IPv4 address).
 */
export declare function isPublicAddress(text: string): boolean;
/** The canonical form of an IP address in any notation (decimal, octal, hexadecimal), or null for names. */
export declare function asIpAddress(host: string): string | null;
