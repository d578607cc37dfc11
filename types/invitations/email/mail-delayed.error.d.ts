/** An email could not be sent yet; thrown by its job, to be run again. */
export declare class MailDelayedError extends Error {
    constructor(detail: string);
}
