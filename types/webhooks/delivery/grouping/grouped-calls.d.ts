/**
 * Makes one call of many: what comes while a call is under way goes together with the next. The busier the process
 * is, the fewer statements it needs for each item.
 */
export declare class GroupedCalls<Item, Result> {
    private readonly run;
    private readonly most;
    private waiting;
    private isRunning;
    /** @param run answers each item at its place */
    constructor(run: (items: readonly Item[]) => Promise<readonly Result[]>, most: number);
    /** @throws what the call of its group throws */
    call(item: Item): Promise<Result>;
    private runAll;
    private runGroup;
}
