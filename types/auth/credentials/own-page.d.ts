import type { IncomingMessage } from 'node:http';
import { type Settings } from '../../config';
/**
 * Whether a page of the service, or a person at the address bar, made the browser send a request
 * (docs/web-interface.md#when-a-cookie-counts). Browsers say so with `Sec-Fetch-Site`, over plain http to another
 * machine only by `Origin`, and there of reading requests not at all; whoever says neither may read, since no page of
 * another origin gets to see the response.
 */
export declare function isOwnPage({ method, headers }: IncomingMessage, settings: Settings): boolean;
