import { DataSource } from 'typeorm';
import { JobHandlers, JobQueue } from '../../../jobs';
/**
 * Re-queues starts that make no progress, and starts past their deadline so that a run can fail them.
 */
export declare class OverdueStarts {
    private readonly database;
    private readonly jobs;
    constructor(database: DataSource, jobs: JobQueue, handlers: JobHandlers);
    private restart;
}
