import { AppError } from '../../../kernel/common';

/** 400: the role is none of the three. */
export class InvalidRoleError extends AppError {
  constructor() {
    super(400, 'invalid_role', 'The role must be member, admin or owner.');
  }
}

/** 403: nobody changes their own role (docs/contract.md#member-rules). */
export class OwnRoleError extends AppError {
  constructor() {
    super(403, 'own_role', 'Nobody changes their own role.');
  }
}

/**
 * 403: the member ranks as high as the caller, or the role is not the caller's to give
 * (docs/contract.md#member-rules).
 */
export class RankTooLowError extends AppError {
  constructor() {
    super(403, 'rank_too_low', 'Your role does not allow this for a member of that role.');
  }
}

/** 404: the organization has no such member. */
export class MemberNotFoundError extends AppError {
  constructor() {
    super(404, 'member_not_found', 'This organization has no such member.');
  }
}

/** 409: every organization keeps an owner (docs/contract.md#member-rules). */
export class LastOwnerError extends AppError {
  constructor() {
    super(409, 'last_owner', 'You are the last owner: make another member owner before you leave.');
  }
}
