import { ServiceUnavailableError } from '../../common';
/** Any failing call to an agent server; seen from outside it is a 503 (docs/contract.md#send-message-errors). */
export declare abstract class AgentServerError extends ServiceUnavailableError {
}
/** The agent server gave no response: nobody listens, it timed out, or the connection broke. */
export declare class AgentServerUnavailableError extends AgentServerError {
    readonly mayHaveArrived: boolean;
    readonly reason: string;
    /**
     * @param mayHaveArrived false when the request certainly never left: then it is safe to send it again
     * @param reason for logs: a short technical word such as `ECONNREFUSED` or `timeout`
     */
    constructor(mayHaveArrived: boolean, reason: string, options?: ErrorOptions);
}
/** The agent server's response has more bytes, or more values, than are read of its kind. */
export declare class AgentServerResponseTooLargeError extends AgentServerUnavailableError {
    constructor(options?: ErrorOptions);
}
/** The agent server runs as many agents as it may (429): the same call works once one of them has ended. */
export declare class AgentServerBusyError extends AgentServerError {
    readonly reason: string;
    /** @param reason what the agent server said, shortened, without the key */
    constructor(reason: string);
}
/** The agent server answered that it will not do it (3xx or another 4xx); repeating the call does not help. */
export declare class AgentServerRefusedError extends AgentServerError {
    readonly responseStatus: number;
    readonly reason: string;
    /** @param reason what the agent server said, shortened, without the key */
    constructor(responseStatus: number, reason: string);
}
/** The agent server failed (5xx), or answered something that is not its protocol. */
export declare class AgentServerFailedError extends AgentServerError {
    readonly responseStatus: number;
    readonly reason: string;
    /** @param reason what the agent server said, shortened, without the key */
    constructor(responseStatus: number, reason: string);
}
/** The event after which the log was to be read is not in the conversation's log. */
export declare class EventMarkUnknownError extends AgentServerError {
    constructor();
}
