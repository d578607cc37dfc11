import { DataSource } from 'typeorm';
import { JobHandlers, type RunningJob } from '../../../jobs';
/**
 * Adds the changes that writers recorded to the counters of the organization list
 * (docs/decisions/0010-counters-kept-by-the-database.md).
 */
export declare class CounterMaintenance {
    private readonly database;
    constructor(database: DataSource, handlers: JobHandlers);
    /** Adds all changes there are, in rounds. @param signal ends it after the round it is in */
    fold(signal?: RunningJob['signal']): Promise<void>;
}
