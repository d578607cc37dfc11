import type { Role } from './permissions';
import type { Caller, SandboxCaller } from './principal';

/** What a valid key identifies: the caller, without the organization the request selects. */
export type VerifiedKey = Omit<Caller, 'selectedOrgId'>;

/** Finds the user of a key. Implemented by `api-keys`, bound in the composition root. */
export abstract class CredentialVerifier {
  /**
   * @param key as the client sent it
   * @returns null for every key that does not work now: unknown, revoked, expired, not yet valid, of a
   *   disabled user
   */
  abstract verify(key: string): Promise<VerifiedKey | null>;
}

/** Finds the sandbox of a session key. Implemented by `sandboxes`, bound in the composition root. */
export abstract class SandboxCredentialVerifier {
  /** @returns null for a key that belongs to no sandbox */
  abstract verify(key: string): Promise<SandboxCaller | null>;
}

/** Reads memberships of organizations. Implemented by `orgs`, bound in the composition root. */
export abstract class MembershipReader {
  /** @returns the member's role, or null when there is no such member or organization */
  abstract roleOf(userId: string, orgId: string): Promise<Role | null>;

  abstract organizationExists(orgId: string): Promise<boolean>;
}
