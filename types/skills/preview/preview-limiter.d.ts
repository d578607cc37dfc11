/** Limits how many preview calls run at once, and waits for them at shutdown. */
export declare class PreviewLimiter {
    private readonly running;
    /** @throws TooManyPreviewsError */
    run<T>(orgId: string, work: () => Promise<T>): Promise<T>;
    /** Waits for all running calls. */
    allDone(): Promise<void>;
}
