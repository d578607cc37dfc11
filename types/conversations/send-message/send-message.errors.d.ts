import { AppError, ServiceUnavailableError } from '../../common';
import { ValidationError } from '../../validation';
/** 410: the conversation is archived; its sandbox no longer exists (docs/contract.md#send-message-errors). */
export declare class ConversationArchivedError extends AppError {
    constructor();
}
/** 400: a message may wake a sandbox only for a run of the agent (docs/contract.md#waking-a-sandbox). */
export declare class RunRequiredToWakeError extends AppError {
    constructor();
}
/**
 * 503: the agent server did not take the message, or did not say whether it did
 * (docs/contract.md#send-message-errors).
 */
export declare class MessageNotSentError extends ServiceUnavailableError {
    private readonly mayHaveArrived;
    /** @param mayHaveArrived whether the agent server may have the message all the same */
    constructor(reason: string, mayHaveArrived: boolean);
    get mayHaveTakenEffect(): boolean;
}
/** 422: the agent server finds the message malformed (docs/contract.md#send-message-errors). */
export declare function messageRefused(reason: string): ValidationError;
/** 404: the agent server does not know the conversation (docs/contract.md#send-message-errors). */
export declare class UnknownToAgentServerError extends AppError {
    constructor();
}
