/** Bounds what large responses hold in memory at once; those for which there is no room wait in their order. */
export declare class ResponseSlots {
    private readonly held;
    private readonly waiting;
    /** How many bytes are held now. */
    get bytes(): number;
    /** How many responses wait for room. */
    get waitingCount(): number;
    /**
     * Waits for room.
     * @param bytes what the response holds in memory at most
     * @returns gives the room back; to be called once
     * @throws TooManyLargeResponsesError when there is none for 30 seconds
     */
    acquire(userId: string, bytes: number): Promise<() => void>;
    private turn;
    /** Whoever waits longest goes first, but nobody waits for room that only another user lacks. */
    private admit;
    private fits;
}
