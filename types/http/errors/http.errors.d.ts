import { AppError, ServiceUnavailableError } from '../../common';
/**
 * 413: the body is larger than the route takes (docs/contract.md#body-limits). The rest of it is dropped.
 */
export declare class BodyTooLargeError extends AppError {
    constructor(limitBytes: number);
}
/** 415: the body is compressed, or encoded in another way. */
export declare class UnsupportedEncodingError extends AppError {
    constructor();
}
/** 400: the request is not HTTP, or lacks what HTTP demands. */
export declare class MalformedRequestError extends AppError {
    constructor();
}
/** 408: the headers or the body of the request did not come in time. */
export declare class RequestTimeoutError extends AppError {
    constructor();
}
/** 431: the headers of the request are too large together. */
export declare class HeadersTooLargeError extends AppError {
    constructor();
}
/** 400: the connection ended before the whole body came. */
export declare class BodyIncompleteError extends AppError {
    constructor();
}
/** 404: no operation has this path. */
export declare class UnknownPathError extends AppError {
    constructor();
}
/** 405: the path exists, with other methods. */
export declare class MethodNotAllowedError extends AppError {
    constructor(allowed: readonly string[]);
}
/** 400: an accepted number that the database cannot store (docs/contract.md#values-that-cannot-be-stored). */
export declare class ValueOutOfRangeError extends AppError {
    constructor();
}
/** 503: the database cannot be reached, is read-only or full. */
export declare class DatabaseUnavailableError extends ServiceUnavailableError {
    constructor(cause?: unknown);
}
/** 500: the service failed to answer this request. */
export declare class InternalError extends AppError {
    constructor();
}
/** 413: what was asked for by its ids is too large for one response (docs/contract.md#response-limits). */
export declare class ResponseTooLargeError extends AppError {
    constructor();
}
/** 429: as many large responses are sent as may be at once (docs/contract.md#response-limits). */
export declare class TooManyLargeResponsesError extends AppError {
    constructor();
}
/** 415: the body is not a form as browsers send it. */
export declare class NotAFormError extends AppError {
    constructor();
}
/** 503: the service is shutting down; another replica, or the next process, takes over. */
export declare class ServiceStoppingError extends ServiceUnavailableError {
    constructor();
}
