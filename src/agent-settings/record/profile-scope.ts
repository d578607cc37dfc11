import { ownerOf, type Caller } from '../../auth';
import { nearestFirst, type Owner } from '../../common';
import { ProfileNotFoundError, ProfileOfAllOrganizationsError } from './profile-errors';

/** Whose profiles a request is about. */
export interface ProfileScope {
  /** Whose are changed. */
  readonly owner: Owner;
  /** Whose are seen. */
  readonly seen: readonly Owner[];
}

/** The profiles of an organization. */
export function ofOrganization(orgId: string): ProfileScope {
  const owner = { userId: null, orgId };
  return { owner, seen: [owner] };
}

/** The profiles of a caller: with a bound key those of its organization, and behind them those that hold everywhere. */
export function ofCaller(caller: Caller): ProfileScope {
  const owner = ownerOf(caller);
  const everywhere: Owner = { userId: caller.userId, orgId: null };
  return { owner, seen: caller.boundOrgId === null ? [owner] : [owner, everywhere] };
}

interface Named {
  readonly name: string;
  readonly userId: string | null;
  readonly orgId: string | null;
}

/** Of several with one name the nearest; by name. */
export function nearestByName<Row extends Named>(rows: readonly Row[]): Row[] {
  const byName = new Map<string, Row>();
  for (const row of [...rows].sort(nearestFirst)) if (!byName.has(row.name)) byName.set(row.name, row);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The one that a request may change.
 * @param found those that it sees under a name
 * @throws ProfileNotFoundError, ProfileOfAllOrganizationsError
 */
export function changeable<Row extends Named>({ owner }: ProfileScope, found: readonly Row[]): Row {
  if (found.length === 0) throw new ProfileNotFoundError();
  const own = found.find(({ userId, orgId }) => userId === owner.userId && orgId === owner.orgId);
  if (own === undefined) throw new ProfileOfAllOrganizationsError();
  return own;
}
