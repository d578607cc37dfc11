/** Lets so many at a time do something; the others wait in their order. */
export declare class Turns {
    private free;
    private readonly waiting;
    constructor(free: number);
    /** Does it when it is the caller's turn. */
    take<Result>(work: () => Promise<Result>): Promise<Result>;
}
