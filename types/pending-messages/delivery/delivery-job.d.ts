import { JobHandlers } from '../../jobs';
import { DeliveryRuns } from './delivery-runs';
import { QueueLeases } from '../leases/queue-leases';
/** Delivers from a queue when no run does: after a pause, a wake-up or the death of a run. */
export declare class DeliveryJob {
    private readonly leases;
    private readonly runs;
    constructor(leases: QueueLeases, runs: DeliveryRuns, handlers: JobHandlers);
    private run;
}
