import { AppError } from '../common';
/** 404: there is no such credential, or it is somebody else's. */
export declare class GitCredentialNotFoundError extends AppError {
    constructor();
}
/** 409: there is one for this address already. */
export declare class GitCredentialExistsError extends AppError {
    constructor();
}
/** 409: the limit of credentials per owner is reached. */
export declare class TooManyGitCredentialsError extends AppError {
    constructor(limit: number);
}
/** 400: a password is not sent to another host than the one it was given for. */
export declare class GitPasswordNeededError extends AppError {
    constructor();
}
