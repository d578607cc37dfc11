import { parseRole } from '../../../kernel/auth';
import { canonicalDomain } from './domain-rules';
import type { IdentityProvider } from '../record/identity-provider.entity';

/** The domain of a mail address, as DNS has it. */
export function domainOf(email: string): string {
  return canonicalDomain(email.slice(email.lastIndexOf('@') + 1));
}

/**
 * The role that a person is to have in the organization that a provider lets people into: that of the first group with one; for
 * who is in none, the default role. Members keep a role that no group gives.
 * @param known the roles that there are: others count for nothing
 * @param current null for no member
 * @param groups null where nothing is said of them
 * @returns null where they are to have none, or to keep theirs
 */
export function wantedRole(
  { groupRoles, defaultRole }: Pick<IdentityProvider, 'groupRoles' | 'defaultRole'>,
  known: readonly string[],
  current: string | null,
  groups: readonly string[] | null,
): string | null {
  if (groups === null && current !== null) return null;
  const isKnown = (role: string): boolean => known.includes(role);
  const held = new Set(groups ?? []);
  const mapped = groupRoles.find(({ group, role }) => held.has(group) && isKnown(role));
  if (mapped !== undefined) return mapped.role;
  const fallback = defaultRole !== null && isKnown(defaultRole) ? defaultRole : null;
  if (current === null) return fallback;
  // What groups give, they take; but to be a member may be more than an own role of the organization.
  const isGiven = groupRoles.some(({ role }) => role === current);
  return isGiven ? (fallback ?? (parseRole(current) === null ? null : 'member')) : null;
}
