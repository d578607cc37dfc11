import { AppError, appError } from '../../../kernel/common';

/** 404: the organization has no such role of its own. */
export const RoleNotFoundError = appError(
  404,
  'role_not_found',
  'This organization has no such role of its own.',
);

/** 400: who has an own role ranks as a member (docs/roles.md). */
export const OwnRoleRankError = appError(
  400,
  'own_role_needs_member',
  "Who has one of the organization's own roles ranks as member: leave role out, or send member.",
);

/** 403: nobody grants what they lack (docs/roles.md). */
export class RoleNotHeldError extends AppError {
  /** @param lacking the permissions that the caller would need */
  constructor(lacking: readonly string[]) {
    super(403, 'role_not_held', `You lack permissions of this role: ${lacking.join(', ')}.`);
  }
}

/** 409: another role of the organization has the name, whatever its case; or one of the three, which all have. */
export const RoleNameTakenError = appError(409, 'role_name_taken', 'There is a role of this name already.');

/** 409: members have the role. */
export const RoleInUseError = appError(
  409,
  'role_in_use',
  'Members have this role: give them another one first.',
);

/** 409: the limit of roles per organization is reached. */
export class TooManyRolesError extends AppError {
  constructor(limit: number) {
    super(
      409,
      'too_many_roles',
      `The organization has ${limit} roles of its own, which is the most there may be; delete one first.`,
    );
  }
}
