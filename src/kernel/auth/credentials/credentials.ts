import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer(?: +|$)/i;

/**
 * The key a request carries: the first of `X-Access-Token`, `Authorization: Bearer` and
 * `X-Session-API-Key` that is present counts, even if it turns out to be invalid
 * (docs/contract.md#credentials).
 * @returns null when there is none
 */
export function presentedKey(headers: IncomingHttpHeaders): string | null {
  const token = headers['x-access-token'];
  if (token !== undefined) return single(token);
  const { authorization } = headers;
  if (authorization !== undefined && BEARER.test(authorization))
    return authorization.replace(BEARER, '').trim();
  return sessionKey(headers);
}

/** The session key of an agent server's call; null when there is none. */
export function sessionKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['x-session-api-key'];
  return key === undefined ? null : single(key);
}

/** The key of another service; null when there is none. */
export function serviceKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['x-service-api-key'];
  return key === undefined ? null : single(key);
}

function single(value: string | string[]): string {
  return typeof value === 'string' ? value : (value[0] ?? '');
}
