import { AppError } from '../../common';
import type { CredentialRules } from './permissions';
import type { RuledCredential } from './principal';

const DAY_MS = 86_400_000;

/** 403: an organization does not accept the credential (docs/contract.md#rules-for-keys). */
export class CredentialNotAcceptedError extends AppError {
  constructor(reason: string) {
    super(403, 'credential_not_accepted', reason);
  }
}

/**
 * Why an organization does not accept a credential that works, in one sentence: a key that was made before it had its rules, or
 * for another organization. What stands for a sign-in is accepted.
 * @param rules null where it has none
 * @returns null where it accepts it
 */
export function whyNotAccepted(
  { ownKey }: RuledCredential,
  rules: CredentialRules | null,
  now: Date,
): string | null {
  if (rules === null || ownKey === null) return null;
  const { longestKeyDays: days, expiryRequired, scopesRequired } = rules;
  if (days !== null && now.getTime() - ownKey.madeAt.getTime() >= days * DAY_MS)
    return `This organization accepts keys for ${days} days after they were made: make a new one.`;
  if (expiryRequired && !ownKey.ends) return 'This organization accepts keys only that have an expires_at.';
  if (scopesRequired && !ownKey.hasScopes) return 'This organization accepts keys only that have scopes.';
  return null;
}

/** Asserts that an organization accepts a credential. @throws CredentialNotAcceptedError */
export function assertAccepted(credential: RuledCredential, rules: CredentialRules | null, now: Date): void {
  const reason = whyNotAccepted(credential, rules, now);
  if (reason !== null) throw new CredentialNotAcceptedError(reason);
}
