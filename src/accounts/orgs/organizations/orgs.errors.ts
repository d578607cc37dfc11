import { appError } from '../../../kernel/common';

/** 400: the role is none of the three. */
export const InvalidRoleError = appError(400, 'invalid_role', 'The role must be member, admin or owner.');

/** 403: nobody changes their own role (docs/contract.md#member-rules). */
export const OwnRoleError = appError(403, 'own_role', 'Nobody changes their own role.');

/**
 * 403: the member ranks as high as the caller, or the role is not the caller's to give
 * (docs/contract.md#member-rules).
 */
export const RankTooLowError = appError(
  403,
  'rank_too_low',
  'Your role does not allow this for a member of that role.',
);

/** 404: the organization has no such member. */
export const MemberNotFoundError = appError(404, 'member_not_found', 'This organization has no such member.');

/** 409: every organization keeps an owner (docs/contract.md#member-rules). */
export const LastOwnerError = appError(
  409,
  'last_owner',
  'You are the last owner: make another member owner before you leave.',
);
