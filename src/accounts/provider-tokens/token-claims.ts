import { MAX_SUBJECT, nameIn, timeOf } from '../identity-providers';

/** How far the clocks of provider and service may be apart. */
export const CLOCK_TOLERANCE_SECONDS = 10;

/** What a provider says of a token that works. */
export interface TokenClaims {
  readonly subject: string;
  /** Whether the subject is that of a client, as the token is of nobody else. */
  readonly isOfClient: boolean;
  /** Null where the provider does not say. */
  readonly issuedAt: Date | null;
  /** Null where the provider does not say. */
  readonly expiresAt: Date | null;
  readonly all: Readonly<Record<string, unknown>>;
}

/** Why a token does not count: for the log, and never with anything that stands in the token. */
export class TokenRefusal {
  constructor(readonly reason: string) {}
}

/** A refusal of a token that its provider does not know, or no longer. */
export class InactiveToken extends TokenRefusal {
  constructor() {
    super('it is not active');
  }
}

/**
 * Reads claims that the provider vouches for, which are for the service, and in time as far as `exp` and `nbf` go.
 * @param named the subject, where it is another claim
 */
export function claimsOf(
  all: Readonly<Record<string, unknown>>,
  now: Date,
  named = all['sub'],
): TokenClaims | TokenRefusal {
  const { sub, iat, exp, cnf } = all;
  const subject = nameIn(named);
  if (subject === null || subject === '' || subject.length > MAX_SUBJECT)
    return new TokenRefusal('it names no subject');
  // Whoever sends it would have to prove to have that key.
  if (cnf !== undefined) return new TokenRefusal('it is bound to a key of its client');
  const [issuedAt, expiresAt] = [timeOf(iat), timeOf(exp)];
  // A sign-out ends those that were issued until then: one of no time would go on.
  if (typeof iat === 'number' && issuedAt === null) return new TokenRefusal('it was issued at no time');
  if (issuedAt !== null && issuedAt.getTime() > now.getTime() + CLOCK_TOLERANCE_SECONDS * 1_000)
    return new TokenRefusal('it was issued in the future');
  return { subject, isOfClient: (sub ?? null) === null, issuedAt, expiresAt, all };
}

/** The audiences that a claim names. */
export function audiencesOf(claim: unknown): readonly string[] {
  return [claim].flat().filter((audience) => typeof audience === 'string');
}
