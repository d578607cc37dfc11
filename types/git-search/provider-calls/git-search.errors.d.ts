import { AppError, ServiceUnavailableError } from '../../common';
/** 409: the provider refuses the credential: it is wrong, ended, or may not do this (docs/contract.md#git-searches). */
export declare class GitCredentialRefusedError extends AppError {
    constructor();
}
/** 409: the host of the credential may not be called. */
export declare class GitHostRefusedError extends AppError {
    /** @param reason what is wrong with the host, without an address */
    constructor(reason: string, options?: ErrorOptions);
}
/** 404: the provider knows no such repository, or does not show it to the credential. */
export declare class GitRepositoryNotFoundError extends AppError {
    constructor();
}
/** 400: a page that was not given to this caller for this search. */
export declare class UnknownSearchPageError extends AppError {
    constructor();
}
/** 429: as many searches run as may run at once, of this user or in all. */
export declare class TooManyGitSearchesError extends AppError {
    constructor();
}
/** 503: the provider does not answer in time, has failed, or wants fewer calls. */
export declare class GitProviderUnavailableError extends ServiceUnavailableError {
    constructor(retryAfterSeconds?: number, options?: ErrorOptions);
}
/** 503: what the provider answers is not its API. */
export declare class GitProviderFailedError extends ServiceUnavailableError {
    /** @param reason for people: what is wrong with the answer, without anything of it */
    constructor(reason: string, options?: ErrorOptions);
}
