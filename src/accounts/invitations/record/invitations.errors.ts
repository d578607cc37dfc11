import { AppError, appError } from '../../../kernel/common';

/** 400: the role is none of the three (docs/contract.md#invitations). */
export const InvalidRoleError = appError(400, 'invalid_role', 'The role must be member, admin or owner.');

/** 403: the caller may invite, but not with this role (docs/contract.md#invite). */
export class RoleNotGrantableError extends AppError {
  constructor(role: string) {
    super(403, 'role_not_grantable', `Your role does not allow inviting someone as ${role}.`);
  }
}

/**
 * 429: too many invitations in a while; nobody was invited and nothing was counted
 * (docs/contract.md#invitation-limits).
 */
export class InvitationLimitError extends AppError {
  constructor(reason: string, headers: Readonly<Record<string, string>>) {
    super(429, 'invitation_limit_reached', reason, headers);
  }
}

/** For the OpenAPI document. */
export const LIMIT_REACHED = new InvitationLimitError(
  'Your organization invited many people in the last hour; try again later.',
  { 'Retry-After': '60' },
);

/** 404: the organization has no invitation of this id. */
export const InvitationNotFoundError = appError(
  404,
  'invitation_not_found',
  'This organization has no such invitation.',
);

/** 409: the invitation was accepted, revoked or has expired. */
export class InvitationNotPendingError extends AppError {
  constructor(status: string) {
    super(409, 'invitation_not_pending', `This invitation is ${status}.`);
  }
}

/** 400: no invitation has this token, or it can no longer be accepted. */
export const InvitationInvalidError = appError(
  400,
  'invitation_invalid',
  'This invitation is not valid: it was used, revoked or replaced.',
);

/** 400: the invitation was not accepted in time. */
export const InvitationExpiredError = appError(
  400,
  'invitation_expired',
  'This invitation has expired; ask for a new one.',
);

/** 403: the invitation is for another address than the caller's. */
export const EmailMismatchError = appError(
  403,
  'email_mismatch',
  'This invitation is for another e-mail address than yours.',
);

/**
 * 403: the account's address was never proved, so it works in its first organization only
 * (docs/contract.md#accepting-an-invitation).
 */
export const EmailNotVerifiedError = appError(
  403,
  'address_unproved',
  'The address of your account is not proved yet: accept on the page the link opens, with a mailed code.',
);

/** 409: the caller is a member already. */
export const AlreadyMemberError = appError(
  409,
  'already_member',
  'You are a member of this organization already.',
);
