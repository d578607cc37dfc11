import type { IncomingMessage } from 'node:http';
import { publicUrl, type Settings } from '../../config';

const SAFE_METHODS: readonly (string | undefined)[] = ['GET', 'HEAD'];

/**
 * Whether a page of the service, or a person at the address bar, made the browser send a request
 * (docs/web-interface.md#when-a-cookie-counts). Browsers say so with `Sec-Fetch-Site`, over plain http to another
 * machine only by `Origin`, and there of reading requests not at all; whoever says neither may read, since no page of
 * another origin gets to see the response.
 */
export function isOwnPage({ method, headers }: IncomingMessage, settings: Settings): boolean {
  const site = headers['sec-fetch-site'];
  const isSafe = SAFE_METHODS.includes(method);
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isSafe);
  const { origin, host } = headers;
  if (origin === undefined) return isSafe;
  return origin === new URL(publicUrl(settings)).origin || hostOf(origin) === host;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
