import { AppError, appError } from '../../common';
import type { CredentialRules } from './permissions';
import type { RuledCredential } from './principal';

const DAY_MS = 86_400_000;

/** In place of a provider: what was sent is the key of a sandbox, and no person's. */
export const OF_SANDBOX = 'sandbox';

/** 403: an organization does not accept the credential (docs/contract.md#rules-for-keys). */
export class CredentialNotAcceptedError extends AppError {
  constructor(reason: string) {
    super(403, 'credential_not_accepted', reason);
  }
}

/** 403: the organization accepts who was let in by its provider of identities only (docs/sign-in-providers.md#only-by-a-provider). */
export const ProviderRequiredError = appError(
  403,
  'provider_required',
  'This organization lets people in by its own provider of identities only: sign in with it, at /login.',
);

/**
 * Why an organization does not accept a credential that works: who sent it was not let in by its provider, or a key was made before
 * it had its rules, or for another organization. What stands for a sign-in is no key.
 * @param rules null where it has none
 * @returns null where it accepts it
 */
export function whyNotAccepted(
  credential: RuledCredential,
  rules: CredentialRules | null,
  now: Date,
): AppError | null {
  if (rules === null) return null;
  if (!isByProvider(credential, rules)) return new ProviderRequiredError();
  const reason = whyNotThisKey(credential, rules, now);
  return reason === null ? null : new CredentialNotAcceptedError(reason);
}

/** Asserts that an organization accepts a credential. @throws ProviderRequiredError, CredentialNotAcceptedError */
export function assertAccepted(credential: RuledCredential, rules: CredentialRules | null, now: Date): void {
  const refusal = whyNotAccepted(credential, rules, now);
  if (refusal !== null) throw refusal;
}

function isByProvider(
  { identityProviderId, sessionId, madeBy }: RuledCredential,
  rules: CredentialRules,
): boolean {
  const { onlyProviderId, keysBesideProvider } = rules;
  // Service accounts have no provider: their keys answer to who made them.
  if (onlyProviderId === null || identityProviderId === OF_SANDBOX || madeBy !== undefined) return true;
  const isKey = sessionId === undefined;
  return identityProviderId === onlyProviderId || (isKey && keysBesideProvider);
}

function whyNotThisKey({ ownKey }: RuledCredential, rules: CredentialRules, now: Date): string | null {
  if (ownKey === null) return null;
  const { longestKeyDays: days, expiryRequired, scopesRequired } = rules;
  if (days !== null && now.getTime() - ownKey.madeAt.getTime() >= days * DAY_MS)
    return `This organization accepts keys for ${days} days after they were made: make a new one.`;
  if (expiryRequired && !ownKey.ends) return 'This organization accepts keys only that have an expires_at.';
  if (scopesRequired && !ownKey.hasScopes) return 'This organization accepts keys only that have scopes.';
  return null;
}
