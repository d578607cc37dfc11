import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../api/client';
import { useOrganization } from '../app/organization';
import { Field } from './field';
import { texts } from '../text';
import { useLoad } from './load';
import type { Role } from './members';

type OwnRole = Pick<Schemas['OrgRoleResponse'], 'id' | 'name'>;

/**
 * Roles of the organization's own that the person may give: nobody gives what they lack.
 * @param present the one that is given already, which is there before the others are loaded
 */
export function useGivableRoles(present: OwnRole | null = null): readonly OwnRole[] {
  const { id: org_id, can } = useOrganization();
  const own = useLoad(
    (signal) =>
      bodyOf(api.GET('/api/organizations/{org_id}/roles', { params: { path: { org_id } }, signal })),
    [org_id],
  );
  const givable = own.data?.items.filter(({ permissions }) => permissions.every(can)) ?? [];
  return present === null ? givable : [present, ...givable.filter(({ id }) => id !== present.id)];
}

/** How a request names a role that was chosen: one of the three, or one of the organization's own. */
export function roleBody(
  chosen: string,
  own: readonly OwnRole[],
): { own_role_id: string } | { role: string; own_role_id: null } {
  return own.some(({ id }) => id === chosen) ? { own_role_id: chosen } : { role: chosen, own_role_id: null };
}

/** Chooses a role, and says what it may do. */
export function RoleField(props: {
  label: string;
  roles: readonly Role[];
  /** The id of an own role, or one of the three. */
  chosen: string;
  error: Error | undefined;
  /** Roles of the organization's own. */
  own?: readonly OwnRole[];
  /** What each of the three may do. */
  hints?: Readonly<Partial<Record<Role, string>>>;
}): JSX.Element {
  const { roles, own = [], hints = texts.people.roleText } = props;
  const [chosen, setChosen] = useState(props.chosen);
  const role = roles.find((of) => of === chosen);
  return (
    <Field
      label={props.label}
      hint={role === undefined ? undefined : hints[role]}
      error={props.error}
      field="body.role"
    >
      <select name="role" value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
        {roles.map((of) => (
          <option key={of} value={of}>
            {texts.console.roles[of]}
          </option>
        ))}
        {own.length > 0 && (
          <optgroup label={texts.people.ownRoles}>
            {own.map(({ id, name }) => (
              <option key={id} value={id} dir="auto">
                {name}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </Field>
  );
}
