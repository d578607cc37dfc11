import type { Role } from './permissions';

/** The user behind a valid key, known from the headers alone (docs/contract.md#credentials). */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly keyId: number;
  /** The session of the browser that sent the request; absent where it carries the key itself. */
  readonly sessionId?: number;
  /** When that session began; absent without one, and where it is not known. */
  readonly signedInAt?: Date;
  /** When what was sent stops working, a key or what stands for one: no key it makes may live longer. */
  readonly keyExpiresAt: Date | null;
  /** The only organization the key works in: its binding, or the one an unverified account is confined to. */
  readonly boundOrgId: string | null;
  /** The administrator whose link let them in, here or for the key that they send; null for who came by themselves. */
  readonly letInBy: string | null;
  /** The organization the user switched to last. */
  readonly currentOrgId: string | null;
  /** What the request's `X-Org-Id` selects. */
  readonly selectedOrgId: string | null;
}

/**
 * The sandbox behind a session key: the one an agent server's call acts for
 * (docs/contract.md#inbound-webhooks).
 */
export interface SandboxCaller {
  /** Null for a server that serves several sandboxes. */
  readonly sandboxId: string | null;
  /** The organization its conversations are in; null for a server that serves several. */
  readonly orgId: string | null;
  readonly createdByUserId: string | null;
}

/** An organization the caller is a member of, checked for this request. */
export interface OrgContext {
  readonly orgId: string;
  readonly role: Role;
}
