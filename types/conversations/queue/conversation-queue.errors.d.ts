import { AppError } from '../../common';
/** 429: the queue is full (docs/contract.md#queue-limit). */
export declare class QueueFullError extends AppError {
    constructor(limit: number);
}
/** 409: the conversation of the queue can never run again. */
export declare class QueueClosedError extends AppError {
    constructor(reason: string);
}
/** 429: the undelivered messages of the user are too large together (docs/contract.md#queue-limit). */
export declare class UserMessageBytesError extends AppError {
    constructor(mebibytes: number);
}
/** 429: the undelivered messages of the organization are too large together (docs/contract.md#queue-limit). */
export declare class OrganizationMessageBytesError extends AppError {
    constructor(mebibytes: number);
}
