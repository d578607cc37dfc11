/**
 * Limits how many repositories the process fetches at once, in all and for one organization, so that slow
 * repositories of one do not block the others.
 */
export declare class CloneSlots {
    private readonly limits;
    private readonly running;
    private readonly waiting;
    private total;
    constructor(limits?: {
        total: number;
        perOrganization: number;
    });
    /**
     * Runs the work as soon as a slot is free.
     * @throws the signal's reason, when it aborts before that
     */
    run<T>(orgId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
    private enter;
    private leave;
    private startNext;
    private count;
}
