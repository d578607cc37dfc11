import { type OnModuleDestroy } from '@nestjs/common';
/** A caller who has not authenticated yet. */
export interface UnknownCaller {
    /** Aborted on shutdown. */
    readonly stopped: AbortSignal;
    /** Stops counting this caller. */
    leave(): void;
}
/** Limits callers that have not authenticated yet. */
export declare class UnknownCallers implements OnModuleDestroy {
    private readonly byAddress;
    private readonly waiting;
    private isStopping;
    /**
     * Counts one more.
     * @throws TooManyDoorConnectionsError, ServiceStoppingError
     */
    enter(address: string): UnknownCaller;
    /** Ends the wait for first messages on shutdown. */
    stop(): void;
    onModuleDestroy(): void;
    private change;
}
