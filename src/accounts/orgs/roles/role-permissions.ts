import { lacking, type Permission, type PermissionTable, type Standing } from '../../../kernel/auth';
import { ValidationError } from '../../../kernel/validation';
import { RoleNotHeldError } from './roles.errors';

/** @throws RoleNotHeldError for whoever lacks one of the permissions */
export function requireHeld({ permissions }: Standing, wanted: Iterable<Permission>): void {
  const lacked = lacking(permissions, wanted);
  if (lacked.length > 0) throw new RoleNotHeldError(lacked);
}

/**
 * The permissions that a request names, in the table's order.
 * @param field of its body
 * @throws ValidationError for what is no permission, or is named twice
 */
export function checkedPermissions(
  table: PermissionTable,
  field: string,
  names: readonly string[],
): Permission[] {
  const known = table.known(names);
  const issues = names.flatMap((name, place) => {
    const isKnown = known.some((permission) => permission === name);
    if (isKnown && names.indexOf(name) === place) return [];
    const problem = isKnown ? 'it is there already' : 'there is no such permission';
    const loc = ['body', field, place];
    return [{ type: 'value_error', loc, msg: `Value error, ${problem}`, input: name }];
  });
  if (issues.length > 0) throw new ValidationError(issues);
  return known;
}
