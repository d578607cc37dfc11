import { SECURITY_HEADERS } from '../../../kernel/http';
import { rateLimitHeaders, type RateLimitStatus } from '../../../kernel/request-limits';
import { doorPath, type SandboxView } from '../../sandboxes';

type Received = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Headers of another server that reach callers: those that describe the body. All others are dropped, because a
 * sandbox must not act in the service's name: not set its cookies, workers and caches, not speak to browsers about
 * other origins, not command a proxy in front (`X-Accel-Redirect`).
 */
export const DESCRIBES_BODY = [
  // Before the length: after it Node encodes the value as UTF-8.
  'content-disposition',
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'retry-after',
  'allow',
  'vary',
] as const;

/** The agent server a response comes from, and the path requested there. */
export interface ResponseSource {
  readonly sandbox: Pick<SandboxView, 'id'>;
  readonly baseUrl: string;
  /** Below `baseUrl`. */
  readonly path: string;
}

/** No response of a sandbox may run as a page of the service's origin. */
const SECURITY: readonly string[] = Object.entries({
  ...Object.fromEntries(SECURITY_HEADERS.map(([name, value]) => [name.toLowerCase(), value])),
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
}).flat();

/** What the service adds to a response. */
export interface OwnResponse {
  readonly requestId: string;
  /** Where the caller stands in the door's bucket; null where that has no limit. */
  readonly standing: RateLimitStatus | null;
}

/**
 * The headers of an answer: the service's own, and those of the agent server that go on to the caller.
 * @returns names and values in turn
 */
export function responseHeaders(
  { requestId, standing }: OwnResponse,
  received: Received,
  source: ResponseSource,
): string[] {
  const headers = [...SECURITY, 'x-request-id', requestId];
  if (standing !== null)
    for (const [name, value] of Object.entries(rateLimitHeaders(standing))) headers.push(name, value);
  for (const name of DESCRIBES_BODY) {
    const value = first(received[name]);
    if (value !== undefined) headers.push(name, value);
  }
  const location = first(received.location);
  const passedLocation = location === undefined ? null : locationBehindDoor(location, source);
  if (passedLocation !== null) headers.push('location', passedLocation);
  return headers;
}

/**
 * A redirect's location, rewritten to the door. Null if it leads anywhere but to the same agent server: clients repeat
 * a request with its headers, and the caller's key must reach neither strangers nor an operation of the service that a
 * sandbox chooses.
 */
function locationBehindDoor(location: string, { sandbox, baseUrl, path }: ResponseSource): string | null {
  const root = baseUrl.replace(/\/+$/, '');
  const asked = `${root}${path}`;
  if (!URL.canParse(location, asked)) return null;
  const url = new URL(location, asked);
  const base = new URL(root);
  const prefix = base.pathname.replace(/\/+$/, '');
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') return null;
  if (url.pathname !== prefix && !url.pathname.startsWith(`${prefix}/`)) return null;
  return doorPath(sandbox.id) + url.pathname.slice(prefix.length) + url.search + url.hash;
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
