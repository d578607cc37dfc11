/** One request of a delivery, and what came of it. */
export declare class WebhookAttempt {
    deliveryId: string;
    /** From 1 on. */
    number: number;
    at: Date;
    durationMs: number;
    /** Null when there was no answer. */
    status: number | null;
    /** What went wrong; null for a success. */
    error: string | null;
    /** The beginning of the answer's body. */
    answer: string | null;
}
