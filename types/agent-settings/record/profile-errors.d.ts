import { AppError } from '../../common';
/** 404: there is no such profile, or it is another user's or organization's (docs/contract.md#profiles). */
export declare class ProfileNotFoundError extends AppError {
    constructor();
}
/** 409: a profile of this name exists already. */
export declare class ProfileExistsError extends AppError {
    constructor();
}
/** 409: the limit of profiles per owner is reached. */
export declare class TooManyProfilesError extends AppError {
    constructor(limit: number);
}
/** 403: a key bound to one organization may not change what applies to all of its user's. */
export declare class ProfileOfAllOrganizationsError extends AppError {
    constructor();
}
