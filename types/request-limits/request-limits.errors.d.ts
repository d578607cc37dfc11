import { AppError } from '../common';
import { type RateLimitStatus } from './rate-limit-status';
/** 429: the key, the sandbox or the address made more requests of a kind than a minute may have. */
export declare class RequestLimitError extends AppError {
    constructor(status: RateLimitStatus);
}
/** 429 in place of a 401: too many credentials of this address did not work; one that works is answered. */
export declare class TooManyFailedCredentialsError extends AppError {
    constructor(status: RateLimitStatus);
}
