import { DataSource } from 'typeorm';
import { WebhookDisabling } from '../../queue/webhook-disabling';
import type { Attempt } from '../callback/callback-sender';
import { DeliveryCounts } from './delivery-counts';
import { type SettledLane } from '../leases/lane.query';
import type { LaneLease } from '../leases/lane-lease';
/** Records what came of callbacks, together with that of others. */
export declare class Settlements {
    private readonly database;
    private readonly disabling;
    private readonly counts;
    private readonly calls;
    constructor(database: DataSource, disabling: WebhookDisabling, counts: DeliveryCounts);
    /** Reads the head of a lane; one without is removed. */
    read(lease: LaneLease): Promise<SettledLane>;
    /** Records an attempt, or that there was no time for one, and reads what comes next. */
    record(lease: LaneLease, delivery: {
        readonly id: string;
        readonly failures: number;
        readonly url: string;
    }, attempt: Attempt | null): Promise<SettledLane>;
    private settle;
    /** What an attempt says about its endpoint. */
    private follow;
    private disableFailing;
    private disable;
}
