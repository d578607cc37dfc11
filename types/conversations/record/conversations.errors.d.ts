import { AppError } from '../../common';
/** 404: no such conversation, or none the caller may know of. */
export declare class ConversationNotFoundError extends AppError {
    constructor();
}
/** 409: the id a client chose for a new conversation is taken (docs/contract.md#start-request). */
export declare class ConversationIdInUseError extends AppError {
    constructor();
}
/** 404: the conversation a new one should belong to is not the caller's (docs/contract.md#start-request). */
export declare class ParentNotFoundError extends AppError {
    constructor();
}
/** 404: the sandbox to run in is not the caller's, or the conversation's is unknown. */
export declare class SandboxNotFoundError extends AppError {
    constructor();
}
/** 400: a conversation was to be readable for everybody (docs/contract.md#start-request). */
export declare class SharingNotSupportedError extends AppError {
    constructor();
}
/** 400: something was asked for that conversations cannot start with (docs/contract.md#start-request). */
export declare class StartFieldNotSupportedError extends AppError {
    /** @param field of the request */
    constructor(field: string);
}
/** 400: a change was asked for of what counts at the start only (docs/contract.md#conversation-record). */
export declare class OnlyAtStartError extends AppError {
    /** @param field of the request */
    constructor(field: string);
}
/** 400: a suggested task was given beside an initial message, and both make the first one (docs/contract.md#start-request). */
export declare class SuggestedTaskWithMessageError extends AppError {
    constructor();
}
/** 400: the initial message is not the user's (docs/contract.md#start-request). */
export declare class RoleNotSupportedError extends AppError {
    constructor();
}
