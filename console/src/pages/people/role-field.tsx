import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { Field } from '../../parts/field';
import { texts } from '../../text';
import type { Role } from './rights';

/** Chooses a role, and says what it may do. */
export function RoleField(props: {
  label: string;
  roles: readonly Role[];
  /** The id of an own role, or one of the three. */
  chosen: string;
  error: Error | undefined;
  /** Roles of the organization's own. */
  own?: readonly Pick<Schemas['OrgRoleResponse'], 'id' | 'name'>[];
}): JSX.Element {
  const { roles, own = [] } = props;
  const [chosen, setChosen] = useState(props.chosen);
  const role = roles.find((of) => of === chosen);
  return (
    <Field
      label={props.label}
      hint={role === undefined ? undefined : texts.people.roleText[role]}
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
