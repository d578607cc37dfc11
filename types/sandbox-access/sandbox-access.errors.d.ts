import { AppError } from '../common';
/** 400: the path could escape the agent server's root, or is not a valid path. */
export declare class PathNotPassableError extends AppError {
    constructor();
}
/** 403: one agent server serves several sandboxes, and the path does not concern a conversation of this one. */
export declare class SharedAgentServerError extends AppError {
    constructor();
}
/** 429: the limit of open connections through the door is reached (docs/sandboxes.md#the-door). */
export declare class TooManyDoorConnectionsError extends AppError {
    /** @param whose whose limit it is */
    constructor(limit: number, whose: 'sandbox' | 'user' | 'address');
}
/** 429: the limit of buffered bytes in the door is reached (docs/sandboxes.md#the-door). */
export declare class TooManyDoorBytesError extends AppError {
    /** @param whose whose limit it is */
    constructor(whose: 'sandbox' | 'user');
}
/** 400: a request for a WebSocket that violates that protocol. */
export declare class HandshakeMalformedError extends AppError {
    constructor();
}
/** 501: the body of a request is coded in a way that only the connection it came on knows (RFC 9112, 6.1). */
export declare class TransferCodingError extends AppError {
    constructor();
}
