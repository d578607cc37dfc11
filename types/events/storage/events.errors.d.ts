import { AppError, ServiceUnavailableError } from '../../common';
/** 404: the conversation has no such event. */
export declare class EventNotFoundError extends AppError {
    constructor();
}
/** 503: the event is not stored here and the agent server could not be asked for it. */
export declare class EventLookUpFailedError extends ServiceUnavailableError {
    constructor(cause: unknown);
}
/**
 * 404: the conversation of a call is not one of the sandbox that makes it
 * (docs/contract.md#inbound-webhooks).
 */
export declare class ForeignConversationError extends AppError {
    constructor();
}
/** 400: an agent server's call carries something else than what its protocol says. */
export declare class MalformedCallError extends AppError {
    constructor(detail: string);
}
/** 409: the events of this conversation do not fit into an archive. */
export declare class TooManyEventsError extends AppError {
    constructor();
}
/** 429: as many archives are written as may be at once, for this user or in all. */
export declare class TooManyDownloadsError extends AppError {
    constructor(retryAfterSeconds: number);
}
/** 413: the events of the conversation are too large together (docs/contract.md#event-limits). */
export declare class ConversationEventBytesError extends AppError {
    constructor(mebibytes: number);
}
/** 413: the events of the organization are too large together (docs/contract.md#event-limits). */
export declare class OrganizationEventBytesError extends AppError {
    constructor(mebibytes: number);
}
