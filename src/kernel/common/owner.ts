/**
 * Whose something is that is kept: a user's, everywhere (`orgId` is null) or in one organization, or an
 * organization's (`userId` is null) (docs/contract.md#whose-settings-hold).
 */
export type Owner =
  | { readonly userId: string; readonly orgId: string | null }
  | { readonly userId: null; readonly orgId: string };

/** A user in an organization, for whom records of the three kinds of owners are looked up. */
export interface Person {
  readonly userId: string;
  readonly orgId: string;
  /**
   * Whether the link of an administrator let them in: it may be the administrator, who gets nothing of what the user keeps for
   * all organizations.
   */
  readonly byLink: boolean;
}

interface Owned {
  readonly userId: string | null;
  readonly orgId: string | null;
}

/** The owners whose records apply to a person, the nearest first: nearer ones override others. */
export function ownersFor(person: Person): readonly Owner[] {
  return [...ownOwnersFor(person), { userId: null, orgId: person.orgId }];
}

/** As {@link ownersFor}, without the organization. */
export function ownOwnersFor({ userId, orgId, byLink }: Person): readonly Owner[] {
  return [{ userId, orgId }, ...(byLink ? [] : [{ userId, orgId: null }])];
}

/** Sorts what belongs to a person's owners, the nearest first. */
export function nearestFirst(a: Owned, b: Owned): number {
  return distanceOf(a) - distanceOf(b);
}

/** Keeps the record of the nearest owner for each name; ordered by name. */
export function nearestByName<Named extends Owned & { readonly name: string }>(
  records: readonly Named[],
): Named[] {
  const byName = new Map<string, Named>();
  for (const record of [...records].sort(nearestFirst))
    if (!byName.has(record.name)) byName.set(record.name, record);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function distanceOf({ userId, orgId }: Owned): number {
  if (userId === null) return 2;
  return orgId === null ? 1 : 0;
}
