import type { IncomingHttpHeaders } from 'node:http';
/**
 * True for a form that was sent from a page of ours. Browsers say so with `Sec-Fetch-Site`; those that do not,
 * by `Origin`, which is `null` here because our pages send no referrer. Only over plain http to another
 * machine do browsers send neither; then nothing contradicts, and there is no cookie to be abused.
 * @param publicOrigin how people reach the service, for proxies that change `Host`
 */
export declare function isSameOrigin(headers: IncomingHttpHeaders, publicOrigin: string): boolean;
