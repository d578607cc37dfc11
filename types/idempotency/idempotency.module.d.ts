/** What operations with an `Idempotency-Key` share. */
export declare class IdempotencyModule {
}
