import type { IncomingMessage } from 'node:http';
/**
 * Finds out, as Express does, the address of a request that goes past it.
 * @param trustedHops reverse proxies in front of the service
 */
export declare function addressOf(request: IncomingMessage, trustedHops: number): string;
/** Says from where a request comes that goes past Express. */
export declare function noteAddress(request: IncomingMessage, address: string): void;
/** The address a request comes from; behind reverse proxies, as `TRUSTED_HOPS` says. */
export declare function clientAddress(request: IncomingMessage): string;
/**
 * The address by which a request is counted: of IPv6 the first 64 bits, since a client with one such address has all of
 * them.
 */
export declare function countedAddress(request: IncomingMessage): string;
