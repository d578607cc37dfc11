import type { JSX } from 'preact';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { Shown } from '../../parts/states';
import { texts } from '../../text';
import { Directory } from './directory';
import { Domains } from './domains';
import { Providers } from './providers';

/** A role that something outside gives: one of the three by its name, or one of the organization's own by its id. */
export interface GivenRole {
  readonly value: string;
  readonly name: string;
}

/** The three roles, and those that the organization made. */
function given(own: readonly Pick<Schemas['OrgRoleResponse'], 'id' | 'name'>[]): readonly GivenRole[] {
  const { member, admin, owner } = texts.console.roles;
  return [
    { value: 'member', name: member },
    { value: 'admin', name: admin },
    { value: 'owner', name: owner },
    ...own.map(({ id, name }) => ({ value: id, name })),
  ];
}

/** What a role is called. */
export function nameOfRole(roles: readonly GivenRole[], role: string): string {
  return roles.find(({ value }) => value === role)?.name ?? texts.identity.goneRole;
}

/** How the organization's own identity lets people in: providers, the domains that are its own, and its directory. */
export default function Identity(): JSX.Element {
  const { id: org_id, can } = useOrganization();
  const roles = useLoad(
    (signal) =>
      bodyOf(api.GET('/api/organizations/{org_id}/roles', { params: { path: { org_id } }, signal })),
    [org_id],
  );
  return (
    <Page title={texts.menu.identity}>
      <Shown of={roles}>
        {({ items }) => (
          <>
            {can('manage_identity_providers') && <Providers roles={given(items)} />}
            {can('manage_identity_providers') && <Domains />}
            {can('manage_scim') && <Directory roles={given(items)} />}
          </>
        )}
      </Shown>
    </Page>
  );
}
