import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../../parts/field';
import { texts } from '../../text';
import type { Role } from './rights';

/** Chooses a role, and says what it may do. */
export function RoleField(props: {
  label: string;
  roles: readonly Role[];
  chosen: Role;
  error: Error | undefined;
}): JSX.Element {
  const { roles } = props;
  const [role, setRole] = useState(props.chosen);
  return (
    <Field label={props.label} hint={texts.people.roleText[role]} error={props.error} field="body.role">
      <select
        name="role"
        value={role}
        onChange={({ currentTarget }) =>
          setRole(roles.find((of) => of === currentTarget.value) ?? props.chosen)
        }
      >
        {roles.map((of) => (
          <option key={of} value={of}>
            {texts.console.roles[of]}
          </option>
        ))}
      </select>
    </Field>
  );
}
