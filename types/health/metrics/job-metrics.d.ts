import { Metrics } from '../../http';
import { JobRunner } from '../../jobs';
/** Metrics of this process's background jobs. */
export declare class JobMetrics {
    constructor(metrics: Metrics, runner: JobRunner);
}
