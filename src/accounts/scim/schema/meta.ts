import { ScimError } from '../record/scim.errors';
import type { ResourceKind } from './attributes';

/** What a row has that a resource shows in `meta`. */
export interface Described {
  readonly id: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The tag of the present state of a resource. */
export function versionOf({ version }: Pick<Described, 'version'>): string {
  return `W/"${version}"`;
}

/**
 * Asserts that a resource is in the state that `If-Match` names, where it names one.
 * @throws ScimError
 */
export function assertVersion(row: Pick<Described, 'version'>, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '' || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(versionOf(row).slice('W/'.length)))
    throw new ScimError(412, null, 'The resource has changed since it was read.');
}

/** The `meta` of a resource. @param base address of the protocol */
export function metaOf({ name, endpoint }: ResourceKind, row: Described, base: string): object {
  return {
    resourceType: name,
    created: row.created_at.toISOString(),
    lastModified: row.updated_at.toISOString(),
    location: `${base}${endpoint}/${row.id}`,
    version: versionOf(row),
  };
}
