/** What all responses being read hold in memory together. */
export declare const TOTAL_BYTES: number;
/** A response that is being read. */
export interface PartialResponse {
    /** The address of the agent server: what several responses of one hold counts together. */
    readonly server: string;
    /** What came of it so far. */
    readonly bytes: number;
    /** Ends the call that it is for. */
    giveUp(reason: string): void;
}
/**
 * Bounds what the responses of agent servers take of the process's memory, however many calls wait: agents have these
 * servers in their hands (docs/sandboxes.md#responses-of-agent-servers). Nobody waits for room, so that nothing can
 * keep others waiting: when there is none left, the largest response of the server that takes most is given up.
 */
export declare class ResponseBudget {
    private readonly reading;
    private held;
    /** Bytes that responses hold now. */
    get bytes(): number;
    /** Counts what came of a response. */
    add(response: PartialResponse, bytes: number): void;
    /** A response holds nothing any more. */
    remove(response: PartialResponse): void;
    private largest;
}
