import { DataSource } from 'typeorm';
import { Metrics } from '../../http';
/** What waits in the whole installation: every process shows the same. */
export declare class BacklogMetrics {
    constructor(database: DataSource, { registry }: Metrics);
}
