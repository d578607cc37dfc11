import type { AddressRanges } from './address-ranges';
import type { Permission, Standing } from './permissions';
import type { Owner, Person } from '../../common';

/** What the rules of organizations are about. */
export interface OwnKey {
  readonly madeAt: Date;
  /** Whether there is a time at which it ends. */
  readonly ends: boolean;
  readonly hasScopes: boolean;
}
/** What users are: people, or service accounts, which only keys act for (docs/roles.md#service-accounts). */
export const USER_KINDS = ['person', 'service_account'] as const;

export type UserKind = (typeof USER_KINDS)[number];

/** The user behind a valid key, known from the headers alone (docs/contract.md#credentials). */
export interface Caller {
  readonly userId: string;
  /** Null for a service account. */
  readonly email: string | null;
  readonly name: string | null;
  readonly keyId: number;
  /** The first characters of the key; absent for what stands for a sign-in. */
  readonly keyPrefix?: string;
  /** What its user calls the key. */
  readonly keyName: string | null;
  /** The session of the browser that sent the request; absent where it carries the key itself. */
  readonly sessionId?: number;
  /** When that session began; absent without one, and where it is not known. */
  readonly signedInAt?: Date;
  /** When what was sent stops working, a key or what stands for one: no key it makes may live longer. */
  readonly keyExpiresAt: Date | null;
  /** What the key can do at most; null for all that its user may. */
  readonly scopes: ReadonlySet<Permission> | null;
  /** The only addresses from which the key counts; null for all. */
  readonly addresses: AddressRanges | null;
  /** Of a key that its user made, or was given: what organizations have rules about; null for what stands for a sign-in. */
  readonly ownKey: OwnKey | null;
  /** The only organization the key works in: its binding, or the one an unverified account is confined to. */
  readonly boundOrgId: string | null;
  /** The administrator whose link let them in, here or for the key that they send; null for who came by themselves. */
  readonly letInBy: string | null;
  /** The provider of identities that let them in, now; null for who came another way. */
  readonly identityProviderId: string | null;
  /** Who made the key of a service account, which does no more than they may; absent for keys of people. */
  readonly madeBy?: string;
  /** The organization the user switched to last. */
  readonly currentOrgId: string | null;
  /** What the request's `X-Org-Id` selects. */
  readonly selectedOrgId: string | null;
}

/** What of a credential organizations have rules about. */
export type RuledCredential = Pick<Caller, 'ownKey' | 'identityProviderId' | 'sessionId' | 'madeBy'>;

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

/** The directory of an organization, by one of its tokens (docs/scim.md). */
export interface DirectoryCaller {
  readonly tokenId: string;
  /** The first characters of the token. */
  readonly tokenPrefix: string;
  readonly orgId: string;
}

/** An organization the caller is a member of, checked for this request. */
export interface OrgContext extends Standing {
  readonly orgId: string;
}

/** What the user of a key is. */
export function kindOf({ madeBy }: Pick<Caller, 'madeBy'>): UserKind {
  return madeBy === undefined ? 'person' : 'service_account';
}

/** The owner of the records that a caller stores: a bound key changes nothing outside its organization. */
export function ownerOf({ userId, boundOrgId }: Caller): Owner {
  return { userId, orgId: boundOrgId };
}

/** Whom something of theirs is looked up for, which may be kept for all their organizations: see {@link Person}. */
export function personOf(
  { userId, letInBy }: Pick<Caller, 'userId' | 'letInBy'>,
  { orgId }: Pick<OrgContext, 'orgId'>,
): Person {
  return { userId, orgId, byLink: letInBy !== null };
}

/**
 * Whether a caller gets at a sandbox of their user: whoever the link of an administrator let in has only those that were made
 * so. In the others is what the user keeps for all organizations.
 */
export function mayEnter({ letInBy }: Pick<Caller, 'letInBy'>, sandbox: Pick<Person, 'byLink'>): boolean {
  return letInBy === null || sandbox.byLink;
}
