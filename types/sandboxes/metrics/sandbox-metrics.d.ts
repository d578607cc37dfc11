import { DataSource } from 'typeorm';
import { Metrics } from '../../http';
/** How many sandboxes the whole installation has: every process shows the same. */
export declare class SandboxMetrics {
    constructor(database: DataSource, { registry }: Metrics);
}
