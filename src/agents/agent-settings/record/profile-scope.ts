import { ownerOf, type Caller } from '../../../kernel/auth';
import type { Owner } from '../../../kernel/common';
import { ProfileNotFoundError, ProfileOfAllOrganizationsError } from './profile-errors';

/** The owners that a request about profiles concerns. */
export interface ProfileScope {
  /** The owner of the profiles that it changes. */
  readonly owner: Owner;
  /** The owners of the profiles that it sees. */
  readonly seen: readonly Owner[];
}

/** The profiles of an organization. */
export function ofOrganization(orgId: string): ProfileScope {
  const owner = { userId: null, orgId };
  return { owner, seen: [owner] };
}

/**
 * The profiles of a caller: with a bound key those of its organization, then those for all organizations, unless the link of
 * an administrator let them in.
 */
export function ofCaller(caller: Caller): ProfileScope {
  const owner = ownerOf(caller);
  const everywhere: Owner = { userId: caller.userId, orgId: null };
  return {
    owner,
    seen: caller.boundOrgId === null || caller.letInBy !== null ? [owner] : [owner, everywhere],
  };
}

/**
 * The profile that a request may change.
 * @param found the visible ones with a name
 * @throws ProfileNotFoundError, ProfileOfAllOrganizationsError
 */
export function changeable<Row extends Pick<Owner, 'userId' | 'orgId'>>(
  owner: Owner,
  found: readonly Row[],
): Row {
  if (found.length === 0) throw new ProfileNotFoundError();
  const own = found.find(({ userId, orgId }) => userId === owner.userId && orgId === owner.orgId);
  if (own === undefined) throw new ProfileOfAllOrganizationsError();
  return own;
}
