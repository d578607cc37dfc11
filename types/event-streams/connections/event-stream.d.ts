import type { ServerResponse } from 'node:http';
import { type EndReason } from '../sources/frames';
import type { StreamStep } from '../sources/stream-source';
import type { Follower } from '../tails/tail';
import type { Tails } from '../tails/tails';
import type { StreamPlace } from './open-streams';
/** What a stream reads. */
export interface StreamTarget {
    readonly tails: Tails;
    /** Of the conversation or the organization. */
    readonly id: string;
    /** Null for all kinds. */
    readonly kinds: ReadonlySet<string> | null;
    /** The position that the reader has already. */
    readonly after: number;
}
/** One open stream: first reads the log by itself, page by page, then follows its end with all others. */
export declare class EventStream implements Follower {
    private readonly target;
    private readonly place;
    private readonly writer;
    private position;
    /** The position from which the reader would resume. */
    private told;
    private isOver;
    constructor(target: StreamTarget, place: StreamPlace, response: ServerResponse);
    /** Sends the headers, and reads until there is no more; then follows. Never rejects. */
    run(): Promise<void>;
    /** Reads until there is no more; then follows. Never rejects. */
    private read;
    follow(steps: readonly StreamStep[], end: number): void;
    pass(kind: string, frame: Buffer): void;
    /** Shows that the connection is alive, and up to where the reader has everything. */
    beat(): void;
    /** Ends it; the reader gets the reason. */
    end(reason: EndReason): void;
    /**
     * Reads a page, and hands it over.
     * @param large whether it may be a large event
     * @returns whether there is more
     */
    private readOn;
    private step;
    private send;
    /** Whether the reader is to get it, and has not. */
    private isNext;
    /** A method, since it may change during any await. */
    private hasEnded;
    private isWanted;
    private closed;
}
