import { DataSource } from 'typeorm';
import { JobHandlers, JobQueue } from '../../jobs';
/** Restarts removals whose job was given up or lost: the server may have been away for days. */
export declare class IdleRemovals {
    private readonly database;
    private readonly jobs;
    constructor(database: DataSource, jobs: JobQueue, handlers: JobHandlers);
    private restart;
}
