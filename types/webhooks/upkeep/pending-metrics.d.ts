import { DataSource } from 'typeorm';
import { Metrics } from '../../http';
/** How much is pending in the whole installation: every process shows the same. */
export declare class PendingMetrics {
    constructor(database: DataSource, { registry }: Metrics);
}
