import { appError } from '../../common';
import type { CredentialRules } from './permissions';
import type { RuledCredential } from './principal';

const BY_PROVIDER_ONLY =
  'This organization lets people in by its own provider of identities only: sign in with it, at /login.';

/** 403: the organization accepts who was let in by its provider of identities only (docs/sign-in-providers.md#only-by-a-provider). */
export const ProviderRequiredError = appError(403, 'provider_required', BY_PROVIDER_ONLY);

/**
 * Why an organization does not accept a credential that works, in one sentence.
 * @param rules null where it has none
 * @returns null where it accepts it
 */
export function whyNotAccepted(
  { identityProviderId, sessionId }: RuledCredential,
  rules: CredentialRules | null,
): string | null {
  if (rules === null || rules.onlyProviderId === null || identityProviderId === OF_SANDBOX) return null;
  const isKey = sessionId === undefined;
  const isAccepted = identityProviderId === rules.onlyProviderId || (isKey && rules.keysBesideProvider);
  return isAccepted ? null : BY_PROVIDER_ONLY;
}

/** Asserts that an organization accepts a credential. @throws ProviderRequiredError */
export function assertAccepted(credential: RuledCredential, rules: CredentialRules | null): void {
  if (whyNotAccepted(credential, rules) !== null) throw new ProviderRequiredError();
}

/** In place of a provider: what was sent is the key of a sandbox, and no person's. */
export const OF_SANDBOX = 'sandbox';
