import { DataSource } from 'typeorm';
import { type Settings } from '../../config';
import { Metrics } from '../../http';
import { JobHandlers } from '../../jobs';
/** Reports storage limit usage as a metric, and logs a warning from 80 % on. */
export declare class StorageMetrics {
    private readonly database;
    private readonly settings;
    private readonly logger;
    private readonly used;
    constructor(database: DataSource, settings: Settings, metrics: Metrics, handlers: JobHandlers);
    private updateUsage;
    private warn;
}
