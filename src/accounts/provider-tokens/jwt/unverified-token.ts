import { isStorable } from '../../identity-providers';
import { audiencesOf } from '../token-claims';
import type { Jose } from './jose';

/** Three parts in base64url. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;

const MAX_AUDIENCES = 20;

/** What a token says of itself: whom to ask about it, and nothing to go by. */
export interface UnverifiedToken {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly subject: string;
}

/** Whether a credential may be a JWT. */
export function isLikeJwt(credential: string): boolean {
  return FORM.test(credential);
}

/**
 * Reads what a credential says of itself.
 * @returns 'opaque' for one that is no JWT; null for a JWT that is no access token of anybody
 */
export function readUnverified(jose: Jose, credential: string): UnverifiedToken | 'opaque' | null {
  const payload = payloadOf(jose, credential);
  if (payload === null) return 'opaque';
  const { iss: issuer, sub: subject } = payload;
  const audiences = audiencesOf(payload.aud);
  if (typeof issuer !== 'string' || typeof subject !== 'string') return null;
  if (!isStorable(issuer) || !isStorable(subject)) return null;
  return audiences.length <= MAX_AUDIENCES ? { issuer, audiences, subject } : null;
}

function payloadOf(jose: Jose, credential: string): ReturnType<Jose['decodeJwt']> | null {
  try {
    jose.decodeProtectedHeader(credential);
    return jose.decodeJwt(credential);
  } catch {
    return null;
  }
}
