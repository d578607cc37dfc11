/**
 * The worker's lease has expired or was revoked, so another worker may already be running the job. The job must
 * not write anything more. Never sent to a client.
 */
export declare class LeaseLostError extends Error {
    constructor();
}
