import type { Owner, Person } from '../../common';
import type { Caller, OrgContext } from './principal';

/** To whom belongs what a caller keeps: a bound key changes nothing outside its organization. */
export function ownerOf({ userId, boundOrgId }: Caller): Owner {
  return { userId, orgId: boundOrgId };
}

/** Whom something of theirs is looked up for, which may be kept for all their organizations: see {@link Person}. */
export function personOf({ userId, letInBy }: Caller, { orgId }: Pick<OrgContext, 'orgId'>): Person {
  return { userId, orgId, byLink: letInBy !== null };
}

/**
 * Whether a caller gets at a sandbox of their user: whoever the link of an administrator let in has only those that were made
 * so. In the others is what the user keeps for all organizations.
 */
export function mayEnter({ letInBy }: Pick<Caller, 'letInBy'>, sandbox: Pick<Person, 'byLink'>): boolean {
  return letInBy === null || sandbox.byLink;
}
