import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common';
import { type Settings } from '../../config';
import { JobHandlers } from '../handling/job-handlers';
import { JobCounts } from './job-counts';
/**
 * Runs jobs in this process from application bootstrap to shutdown, unless `APP_ROLE` is `api`: quick and slow
 * ones in a worker each.
 */
export declare class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
    private readonly dataSource;
    private readonly handlers;
    private readonly clock;
    private readonly settings;
    private readonly log;
    private readonly counted;
    private pool;
    private supervisors;
    private stopping;
    constructor(dataSource: DataSource, handlers: JobHandlers, clock: Clock, settings: Settings);
    onApplicationBootstrap(): void;
    onModuleDestroy(): Promise<void>;
    /** Counts of this process so far. */
    counts(): Readonly<JobCounts>;
    /** Starts running jobs, as soon as the database is available. */
    start(): void;
    /** Fetches no more jobs, lets running ones finish within the grace time and returns the rest to the queue. */
    stop(): Promise<void>;
    private supervisorOf;
    private scheduleRecurring;
    private connect;
    private cleanUp;
    private warnOfLoss;
}
