/** A start that cannot succeed, with the sentence that its task shows. */
export declare class StartFailedError extends Error {
    constructor(reason: string);
}
