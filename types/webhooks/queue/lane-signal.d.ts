/** Tells this process that there may be something to deliver; other processes find out within a second. */
export declare class LaneSignal {
    private readonly hearers;
    /** Deliveries to these endpoints were committed. */
    added(webhookIds: readonly string[]): void;
    onAdded(hear: (webhookIds: readonly string[]) => void): void;
}
