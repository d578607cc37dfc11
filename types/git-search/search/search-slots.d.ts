/** Bounds how many searches run at once: each holds an answer of a provider in memory. */
export declare class SearchSlots {
    private readonly running;
    /** @throws TooManyGitSearchesError */
    run<T>(userId: string, work: () => Promise<T>): Promise<T>;
}
