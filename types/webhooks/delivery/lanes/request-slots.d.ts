/** The service stops: no further request begins. */
export declare class SlotsClosedError extends Error {
}
/** Bounds how many requests are under way; who waits longest goes first. */
export declare class RequestSlots {
    private readonly taken;
    private readonly troubles;
    private readonly waiting;
    private total;
    private isClosed;
    /** Requests at a time that an endpoint may be sent now. */
    mostOf(webhookId: string): number;
    /**
     * Runs a request when there is room for it.
     * @param request says whether it succeeded, and soon
     * @throws the signal's reason, SlotsClosedError, or what the request throws
     */
    use<T extends {
        readonly isQuick: boolean;
    }>(webhookId: string, signal: AbortSignal, request: () => Promise<T>): Promise<T>;
    /** Turns away all who wait. */
    close(): void;
    private take;
    private hasRoom;
    private occupy;
    private release;
}
