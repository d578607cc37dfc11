import { DataSource } from 'typeorm';
/** A listener's job that failed at least once and has not succeeded since. */
export interface FailedListenerJob {
    readonly id: string;
    readonly listener: string;
    readonly kind: string;
    /** `dead` ones are not tried again. */
    readonly state: 'retrying' | 'dead';
    readonly attempts: number;
    readonly max_attempts: number;
    readonly last_error: string;
    /** When the event happened. */
    readonly since: string;
    /** Null for a dead one. */
    readonly next_attempt_at: string | null;
}
/** Reads what listeners after the commit have failed to do, over all replicas. */
export declare class FailedListenerJobs {
    private readonly database;
    constructor(database: DataSource);
    /** Oldest first, dead and retrying; at most 1000. */
    list(): Promise<FailedListenerJob[]>;
}
