import { Metrics } from '../../../http';
import type { Attempt } from '../callback/callback-sender';
/** Metrics of this process's callbacks. */
export declare class DeliveryCounts {
    private readonly results;
    private readonly durations;
    constructor({ registry }: Metrics);
    /** A callback has ended. */
    count({ status, error, durationMs }: Attempt): void;
}
