/** The API server said no: its status, and its `Status` object's reason and sentence. */
export declare class ApiRefusal extends Error {
    readonly status: number;
    readonly reason: string;
    readonly sentence: string;
    readonly waitMs: number;
    /** @param waitMs for how long the server wants to be left alone; 0 where it does not say */
    constructor(status: number, reason: string, sentence: string, waitMs?: number);
}
/** The API server does not answer, or has too much to do. */
export declare class ApiUnavailable extends Error {
    constructor(what: string, options?: ErrorOptions);
}
/**
 * What a response that is no success, or an `ERROR` of a watch, says.
 * @param retryAfter the header of that name, in seconds
 */
export declare function refusalOf(status: number, body: unknown, retryAfter?: string | string[]): ApiRefusal;
/** Whether the same call may succeed in a moment; also where somebody else changed the object at the same time. */
export declare function isPassing({ status, reason }: ApiRefusal): boolean;
/** Whether the state that a watch was to begin with is not kept any more. */
export declare function isExpired(error: unknown): boolean;
/** Whether an object, or the kind of object, is not there. */
export declare function isNotFound(error: unknown): boolean;
/** Whether an object that was to be made is there already. */
export declare function isThereAlready(error: unknown): boolean;
