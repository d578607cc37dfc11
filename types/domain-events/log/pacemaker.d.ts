/** How often a {@link Pacemaker} beats, in milliseconds. */
export interface Pace {
    /** From the end of a beat to the next, at least. */
    readonly gapMs: number;
    /** From the end of a beat to the next without a wake-up. */
    readonly pollMs: number;
}
/** Calls a function again and again, never twice at a time: when it is woken, and otherwise at intervals. */
export declare class Pacemaker {
    private readonly beat;
    private readonly pace;
    private readonly beating;
    private running;
    private isWoken;
    private interrupt;
    /** @param beat never rejects; says whether it is to be called again as soon as it may */
    constructor(beat: () => Promise<boolean>, pace: Pace);
    /** Begins to beat. */
    start(): void;
    /** Beats as soon as it may: at once, or when the present beat has ended and the gap is over. */
    wake(): void;
    /** Ends it after the present beat. */
    stop(): Promise<void>;
    private run;
    private sleep;
}
