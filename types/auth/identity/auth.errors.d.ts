import { AppError } from '../../common';
/** 401: no credential, or one that does not work (docs/contract.md#credentials). */
export declare class UnauthenticatedError extends AppError {
    constructor(header?: string, detail?: string);
}
/** 401: a ticket that does not open this stream, or no longer (docs/streams.md#tickets). */
export declare class TicketRefusedError extends UnauthenticatedError {
    constructor();
}
/** 403: the caller is a member, but their role lacks the permission. */
export declare class PermissionDeniedError extends AppError {
    constructor(permission: string);
}
/** 403: the organization does not exist or the caller is not a member; the two are indistinguishable. */
export declare class NotAMemberError extends AppError {
    constructor();
}
/** 403: the key is bound to another organization than the requested one. */
export declare class KeyBoundElsewhereError extends AppError {
    constructor();
}
/** 400: `X-Org-Id` is not a UUID. */
export declare class InvalidSelectorError extends AppError {
    constructor();
}
/** 400: the request names two different organizations. */
export declare class ContradictingSelectorsError extends AppError {
    constructor();
}
/** 400: the organization of an invitation does not exist (docs/contract.md#invitations). */
export declare class UnknownOrganizationError extends AppError {
    constructor();
}
/** 404: the caller has no current organization, or it is gone. */
export declare class NoCurrentOrganizationError extends AppError {
    constructor();
}
/** 404: no other service may call (docs/contract.md#keys-for-other-services). */
export declare class ServiceAccessOffError extends AppError {
    constructor();
}
