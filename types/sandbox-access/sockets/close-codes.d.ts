import type { AppError } from '../../common';
/** The agent server disconnected without a reason. */
export declare const AGENT_SERVER_GONE: {
    readonly code: 1014;
    readonly reason: "The agent server ended the connection.";
};
/** The close code and reason of a WebSocket. */
export interface CloseReason {
    readonly code: number;
    readonly reason: string;
}
/** The close code for an error on a WebSocket that is open already. */
export declare function closeReasonOf(error: AppError): CloseReason;
