import { AppError } from '../../common';
/** 400: the role is none of the three (docs/contract.md#invitations). */
export declare class InvalidRoleError extends AppError {
    constructor();
}
/** 403: the caller may invite, but not with this role (docs/contract.md#invite). */
export declare class RoleNotGrantableError extends AppError {
    constructor(role: string);
}
/**
 * 429: too many invitations in a while; nobody was invited and nothing was counted
 * (docs/contract.md#invitation-limits).
 */
export declare class InvitationLimitError extends AppError {
    constructor(reason: string, headers: Readonly<Record<string, string>>);
}
/** For the OpenAPI document. */
export declare const LIMIT_REACHED: InvitationLimitError;
/** 404: the organization has no invitation of this id. */
export declare class InvitationNotFoundError extends AppError {
    constructor();
}
/** 409: the invitation was accepted, revoked or has expired. */
export declare class InvitationNotPendingError extends AppError {
    constructor(status: string);
}
/** 400: no invitation has this token, or it can no longer be accepted. */
export declare class InvitationInvalidError extends AppError {
    constructor();
}
/** 400: the invitation was not accepted in time. */
export declare class InvitationExpiredError extends AppError {
    constructor();
}
/** 403: the invitation is for another address than the caller's. */
export declare class EmailMismatchError extends AppError {
    constructor();
}
/**
 * 403: the account's address was never proved, so it works in its first organization only
 * (docs/contract.md#accepting-an-invitation).
 */
export declare class EmailNotVerifiedError extends AppError {
    constructor();
}
/** 409: the caller is a member already. */
export declare class AlreadyMemberError extends AppError {
    constructor();
}
