import { AppError } from '../common';
import { ValidationError } from '../validation';
/** 422: the key came before, with another body. */
export declare class IdempotencyKeyReusedError extends ValidationError {
    constructor(key: string);
}
/** 409: the first request with the key is being worked on. */
export declare class IdempotencyKeyInUseError extends AppError {
    constructor();
}
/** 409: the first request with the key may have had its effect; it is not repeated. */
export declare class OutcomeUnknownError extends AppError {
    constructor();
}
