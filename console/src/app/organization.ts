import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { CONSOLE, type Schemas } from '../api/client';

/** A permission of the service, or one of an extension. */
export type Permission = Schemas['OwnMembership']['permissions'][number];

/**
 * The organization that the page's address names. Each tab has its own: no call depends on which one is the current one of the
 * account.
 */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** The caller's membership. */
  readonly me: Schemas['OwnMembership'];
  /** Whether the caller's role has a permission. */
  readonly can: (permission: Permission) => boolean;
  /** The address of a page of this organization: `path('people')`. */
  readonly path: (page: string) => string;
  /** The header for operations whose path names no organization. */
  readonly header: { readonly 'X-Org-Id': string };
  /** Loads again what is known of it. */
  readonly reload: () => void;
}

/** @param organization as listed @param me the caller's membership @param reload loads both again */
export function organizationOf(
  { id, name }: Pick<Schemas['OrganizationResponse'], 'id' | 'name'>,
  me: Schemas['OwnMembership'],
  reload: () => void,
): Organization {
  return {
    id,
    name,
    me,
    can: (permission) => me.permissions.includes(permission),
    path: (page) => `${CONSOLE}/${id}/${page}`,
    header: { 'X-Org-Id': id },
    reload,
  };
}

const Context = createContext<Organization | null>(null);

export const OrganizationProvider = Context.Provider;

/** The organization of the page. @throws Error outside of one */
export function useOrganization(): Organization {
  const organization = useContext(Context);
  if (organization === null) throw new Error('There is no organization here.');
  return organization;
}
