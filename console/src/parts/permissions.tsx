import type { JSX } from 'preact';
import type { Permission } from '../app/organization';
import { texts } from '../text';

const NAMES: Readonly<Record<string, string>> = texts.permissions;

/** A permission in words; those of extensions have none. */
export function permissionText(permission: string): string {
  return NAMES[permission] ?? permission;
}

/** Chooses permissions: those that are ticked are in the form as `permission`. */
export function PermissionChoice(props: {
  legend: string;
  /** What there is to choose from. */
  from: readonly Permission[];
  chosen?: readonly string[];
}): JSX.Element {
  const { legend, from, chosen = [] } = props;
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {from.map((permission) => (
        <label key={permission}>
          <input
            type="checkbox"
            name="permission"
            value={permission}
            defaultChecked={chosen.includes(permission)}
          />
          {permissionText(permission)}
        </label>
      ))}
    </fieldset>
  );
}

/** The permissions that were ticked. */
export function chosenPermissions(form: FormData): string[] {
  return form.getAll('permission').map(String);
}
