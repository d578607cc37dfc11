import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
/**
 * The body of a request on its way to the agent server, between two streams that end on their own: one that breaks must
 * not end the other.
 */
export declare class Upload {
    private readonly request;
    /** What the agent server reads. */
    readonly stream: Transform;
    /** @param passed called for what comes, piece by piece */
    constructor(request: IncomingMessage, passed: (bytes: number) => void);
    /** Bytes that have come and not gone on. */
    get heldBytes(): number;
    /**
     * Breaks it off at the agent server. What still comes is read and dropped, so that the caller gets to read the answer.
     * @param ended called when nothing comes any more, or too much has, or for too long
     */
    drop(ended: () => void): void;
}
/** Whether a request has a body. */
export declare function hasBody(request: IncomingMessage): boolean;
/** Whether the body of a request comes without a length. */
export declare function isChunked({ headers }: IncomingMessage): boolean;
