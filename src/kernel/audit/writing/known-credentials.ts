import type { AuditFields } from '../../domain-events';

/** Whose a credential is, or was, that did not count for a request. */
export interface KnownCredential {
  readonly digest: string;
  readonly actor: AuditFields['actor'];
  /** The organization that it is bound to; null for none. */
  readonly orgId: string | null;
  /** The organization that its user is in otherwise; null for none. */
  readonly currentOrgId: string | null;
}

/** Knows whose credentials are that are refused: revoked, ended, sent from elsewhere. Bound in the composition root. */
export abstract class KnownCredentials {
  /** Those of some digests that are, or were, somebody's. */
  abstract among(digests: readonly string[]): Promise<readonly KnownCredential[]>;
}
