/** A request that carried an `Idempotency-Key`. */
export declare class IdempotencyKey {
    userId: string;
    /** Of the organization, or the resource in one, of route and key. */
    keyDigest: string;
    requestDigest: string;
    state: 'working' | 'answered' | 'unknown';
    status: number | null;
    answer: string | null;
    createdAt: Date;
}
