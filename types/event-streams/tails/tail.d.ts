import type { SourcePage, StreamStep } from '../sources/stream-source';
import { type RecentBytes } from './recent-steps';
/** A stream that has caught up with its log. */
export interface Follower {
    /** What comes next; what lies at or before its own position is passed over. */
    follow(steps: readonly StreamStep[], end: number): void;
    /** An event without a position. */
    pass(kind: string, frame: Buffer): void;
}
/** The end of one log, which all of its followers have reached. */
export declare class Tail {
    position: number;
    private readonly followers;
    private readonly recent;
    /** @param position the one up to which its followers have everything */
    constructor(position: number, recentBytes: RecentBytes);
    get isLeft(): boolean;
    add(follower: Follower): void;
    remove(follower: Follower): void;
    /** What a reader at a position lacks; null when it is not in memory any more. */
    missing(position: number): readonly StreamStep[] | null;
    /** Forgets what it kept before the last call. */
    age(): void;
    /** Forgets all that it kept. */
    clear(): void;
    /**
     * Hands on what was read after a position.
     * @returns whether there is more to read
     */
    take({ steps, end, hasMore }: SourcePage, after: number): boolean;
    pass(kind: string, frame: Buffer): void;
}
