import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { Confirm } from '../../parts/modal';
import { chosenPermissions, PermissionChoice } from '../../parts/permissions';
import { texts } from '../../text';
import type { OwnRole } from './roles';

/** A name and permissions, of those that the person has. */
export function RoleForm(props: {
  title: string;
  role?: OwnRole;
  save: (body: { name: string; permissions: string[] }) => Promise<unknown>;
  onClose: () => void;
}): JSX.Element {
  const { title, role, save, onClose } = props;
  const { me } = useOrganization();
  return (
    <Confirm
      title={title}
      label={texts.roles.save}
      action={(value, form) => save({ name: value('name'), permissions: chosenPermissions(form) })}
      onClose={onClose}
    >
      {(error: Error | undefined) => (
        <>
          <Field label={texts.roles.name} error={error} field="body.name">
            <input
              name="name"
              required
              autofocus
              maxLength={200}
              autocomplete="off"
              dir="auto"
              defaultValue={role?.name}
            />
          </Field>
          <PermissionChoice
            legend={texts.roles.permissions}
            from={me.permissions}
            chosen={role?.permissions ?? []}
          />
          <p>{texts.roles.hint}</p>
        </>
      )}
    </Confirm>
  );
}
