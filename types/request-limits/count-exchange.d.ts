import { type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JobHandlers } from '../jobs';
import type { Bucket } from './buckets';
import type { WindowCounts } from './window-counts';
/**
 * Exchanges counts with the other replicas through PostgreSQL, about every second while there is anything to send, and
 * never on a request's path. While the database cannot be reached, each replica uses its own counts.
 */
export declare class CountExchange implements OnModuleDestroy {
    private readonly database;
    private readonly logger;
    private readonly buckets;
    private timer;
    private running;
    private isFailing;
    private isStopped;
    constructor(database: DataSource, handlers: JobHandlers);
    /** Has the counts of a bucket exchanged. */
    register(bucket: Bucket, counts: WindowCounts): void;
    /** Sees to it that what was just counted is exchanged within about a second. */
    schedule(): void;
    onModuleDestroy(): Promise<void>;
    private exchange;
    private takeUnshared;
}
