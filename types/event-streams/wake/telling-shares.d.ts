import type { Clock } from '../../common';
/** Bounds what a replica tells the others of passing events: what is told waits in one queue with all notifications. */
export declare class TellingShares {
    private readonly clock;
    private endsAtMs;
    private bytes;
    private readonly ofConversation;
    constructor(clock: Clock);
    /** Takes so many bytes of a conversation's share. @returns false when it has no more, or all together have not */
    take(conversationId: string, bytes: number): boolean;
    private renew;
}
