import { SIGNATURE_ALGORITHMS } from '../../identity-providers';
import { CLOCK_TOLERANCE_SECONDS, claimsOf, type TokenClaims, TokenRefusal } from '../token-claims';
import type { JWTPayload, Jose } from './jose';
import { type KeySet, KeysUnavailableError } from './key-set';

const ACCESS_TOKEN = /^(?:application\/)?at\+jwt$/i;
const ANY_JWT = /^(?:application\/)?jwt$/i;
/** Claims of ID tokens, which say who signed in to a client, and are not for a service. */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash', 's_hash'];
/** Of which access tokens have one, and ID tokens none. */
const OF_ACCESS_TOKENS = ['scope', 'scp', 'client_id'];

/** Whose a token has to be, and for whom. */
export interface Expected {
  readonly issuer: string;
  readonly audience: string;
  readonly now: Date;
}

/**
 * Verifies a JWT access token (RFC 9068; docs/provider-tokens.md#jwt-access-tokens). Keys are those that the provider publishes,
 * whatever the token's header names.
 * @returns its claims, or why it does not count
 * @throws KeysUnavailableError
 */
export async function verifyAccessToken(
  jose: Jose,
  token: string,
  keys: KeySet,
  { issuer, audience, now }: Expected,
): Promise<TokenClaims | TokenRefusal> {
  try {
    const { protectedHeader, payload } = await jose.jwtVerify(token, (header) => keys.keyFor(header), {
      issuer,
      audience,
      algorithms: SIGNATURE_ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now,
      requiredClaims: ['exp', 'iat'],
    });
    return isAccessToken(protectedHeader.typ, payload)
      ? claimsOf(payload, now)
      : new TokenRefusal('it is not an access token');
  } catch (error) {
    if (error instanceof KeysUnavailableError) throw error;
    return new TokenRefusal(reasonOf(jose, error));
  }
}

/** By its type; that of many providers is the one of all JWTs, or none, where its claims have to tell. */
function isAccessToken(type: string | undefined, claims: JWTPayload): boolean {
  if (type !== undefined && ACCESS_TOKEN.test(type)) return true;
  if (type !== undefined && !ANY_JWT.test(type)) return false;
  return (
    OF_ACCESS_TOKENS.some((name) => Object.hasOwn(claims, name)) &&
    !OF_ID_TOKENS.some((name) => Object.hasOwn(claims, name))
  );
}

/** Not the message of the error, which may have what stands in the token. */
function reasonOf(jose: Jose, error: unknown): string {
  if (error instanceof jose.errors.JWTClaimValidationFailed || error instanceof jose.errors.JWTExpired)
    return `${error.code}: ${error.claim}`;
  return error instanceof jose.errors.JOSEError ? error.code : 'it cannot be verified';
}
