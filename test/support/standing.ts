import { PermissionTable, type Role, type Standing } from '../../src/kernel/auth';

/** What members with one of the three roles may do. */
export function standing(role: Role): Standing {
  return new PermissionTable({}).standing(role, null);
}
