import { AppError } from '../../common';
/** 400: the role is none of the three. */
export declare class InvalidRoleError extends AppError {
    constructor();
}
/** 403: nobody changes their own role (docs/contract.md#member-rules). */
export declare class OwnRoleError extends AppError {
    constructor();
}
/**
 * 403: the member ranks as high as the caller, or the role is not the caller's to give
 * (docs/contract.md#member-rules).
 */
export declare class RankTooLowError extends AppError {
    constructor();
}
/** 404: the organization has no such member. */
export declare class MemberNotFoundError extends AppError {
    constructor();
}
/** 409: every organization keeps an owner (docs/contract.md#member-rules). */
export declare class LastOwnerError extends AppError {
    constructor();
}
/** 400: two registrations of one list have the same name (docs/contract.md#app-settings). */
export declare class DuplicateMarketplacesError extends AppError {
    constructor(names: readonly string[]);
}
/** 409: another caller saved the settings meanwhile (docs/contract.md#app-settings). */
export declare class SettingsChangedError extends AppError {
    constructor();
}
