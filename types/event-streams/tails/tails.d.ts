import type { StreamSource } from '../sources/stream-source';
import { type Follower } from './tail';
/**
 * The ends of the logs that streams of this process follow. Each is read once for all of its followers, and those with
 * something new together.
 */
export declare class Tails {
    readonly source: StreamSource;
    private readonly logger;
    private readonly tails;
    private readonly woken;
    private readonly recentBytes;
    private isReading;
    constructor(source: StreamSource);
    /**
     * Lets a stream follow a log that it has read up to a position.
     * @returns false when it has to read on first: the others are further
     */
    join(id: string, follower: Follower, position: number): boolean;
    /** Whether a reader at a position gets all that it lacks from memory. */
    keepsAfter(id: string, position: number): boolean;
    /**
     * Lets a stream follow a log whose others are further, when what it lacks is in memory.
     * @returns false when it has to read it
     */
    rejoin(id: string, follower: Follower, position: number): boolean;
    /** Ends what {@link join} or {@link rejoin} began; does nothing for who does not follow. */
    leave(id: string, follower: Follower): void;
    /** Forgets what was kept for readers that come back before the last call. */
    age(): void;
    /** Reads the logs of some ids that may have something new; null for all. */
    wake(ids: readonly string[] | null): void;
    /** Hands an event without a position to who follows. */
    pass(id: string, kind: string, frame: () => Buffer): void;
    /** Whether anybody follows a log. */
    isFollowed(id: string): boolean;
    private read;
    private readSome;
}
/** The ends of the logs of conversations. */
export declare class ConversationTails extends Tails {
}
/** The ends of the logs of organizations. */
export declare class OrganizationTails extends Tails {
}
