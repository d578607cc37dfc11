import { AppError } from '../../common';
/** 404: the id names a conversation or start task that is not the caller's, or one that is gone. */
export declare class QueueNotFoundError extends AppError {
    constructor();
}
/** 404: the queue has no such message, or it was cancelled. */
export declare class MessageNotFoundError extends AppError {
    constructor();
}
/** 409: the message is being delivered, was delivered or has failed. */
export declare class MessageNotQueuedError extends AppError {
    constructor(state: string);
}
/** 429: the caller has too many queues whose conversations do not exist yet (docs/contract.md#queue-ids). */
export declare class TooManyEarlyQueuesError extends AppError {
    constructor(limit: number);
}
/** 400: the id is longer than any that is stored. */
export declare class IdTooLongError extends AppError {
    constructor(limit: number);
}
/** 409: the new order does not name exactly the messages that are queued. */
export declare class OrderMismatchError extends AppError {
    constructor();
}
/** 409: the new order puts another message before the one that the conversation begins with. */
export declare class InitialMessageFirstError extends AppError {
    constructor();
}
/** 413: messages for an id that no conversation has yet are too large together (docs/contract.md#queue-limit). */
export declare class EarlyQueueBytesError extends AppError {
    constructor(mebibytes: number);
}
