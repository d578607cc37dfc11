import { Metrics } from '../../http';
/** Metrics of this process's connections to the database. */
export declare class PoolMetrics {
    constructor({ registry }: Metrics);
}
