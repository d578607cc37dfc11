import type { StreamStep } from '../sources/stream-source';
/** Bytes that are kept of all logs. */
export declare class RecentBytes {
    used: number;
}
/**
 * The latest steps of a log, for readers that come back: when a replica dies, all of its readers do at once, and they
 * need not read the database for what the others have just been told.
 */
export declare class RecentSteps {
    private start;
    private readonly all;
    private steps;
    private bytes;
    /** How many of them were there when {@link age} was last called. */
    private aged;
    /** @param start the position after which everything is kept */
    constructor(start: number, all: RecentBytes);
    /** Keeps steps that follow what is kept. */
    add(steps: readonly StreamStep[]): void;
    /** What follows a position; null when not all of it is kept. */
    after(position: number): readonly StreamStep[] | null;
    /** Drops what was there when this was called before. */
    age(): void;
    /** Drops everything. */
    clear(): void;
    /** How many of the first ones are more than may be kept. */
    private tooMany;
    private dropFirst;
    private count;
}
