import type { IncomingHttpHeaders } from 'node:http';
/**
 * The key a request carries: the first of `X-Access-Token`, `Authorization: Bearer` and
 * `X-Session-API-Key` that is present counts, even if it turns out to be invalid
 * (docs/contract.md#credentials).
 * @returns null when there is none
 */
export declare function presentedKey(headers: IncomingHttpHeaders): string | null;
/** The session key of an agent server's call; null when there is none. */
export declare function sessionKey(headers: IncomingHttpHeaders): string | null;
/** The key of another service; null when there is none. */
export declare function serviceKey(headers: IncomingHttpHeaders): string | null;
