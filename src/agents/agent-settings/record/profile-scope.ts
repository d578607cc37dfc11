import { ownerOf, type Caller } from '../../../kernel/auth';
import { nearestFirst, type Owner } from '../../../kernel/common';
import { ProfileNotFoundError, ProfileOfAllOrganizationsError } from './profile-errors';

/** The owners that a request about profiles concerns. */
export interface ProfileScope {
  /** Whose profiles it changes. */
  readonly owner: Owner;
  /** Whose profiles it sees. */
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

interface Named {
  readonly name: string;
  readonly userId: string | null;
  readonly orgId: string | null;
}

/** Of several with the same name the nearest owner's; ordered by name. */
export function nearestByName<Row extends Named>(rows: readonly Row[]): Row[] {
  const byName = new Map<string, Row>();
  for (const row of [...rows].sort(nearestFirst)) if (!byName.has(row.name)) byName.set(row.name, row);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The profile that a request may change.
 * @param found the visible ones with a name
 * @throws ProfileNotFoundError, ProfileOfAllOrganizationsError
 */
export function changeable<Row extends Named>({ owner }: ProfileScope, found: readonly Row[]): Row {
  if (found.length === 0) throw new ProfileNotFoundError();
  const own = found.find(({ userId, orgId }) => userId === owner.userId && orgId === owner.orgId);
  if (own === undefined) throw new ProfileOfAllOrganizationsError();
  return own;
}
