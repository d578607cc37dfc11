/** What conversations need of the queues; it needs nothing of theirs, so that they can import it. */
export declare class PendingQueueModule {
}
