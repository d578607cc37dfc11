import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Settings } from '../../config';
import { DeliveryRepository } from './delivery.repository';
import { DeliveryRun } from './delivery-run';
import { DeliveryFaultPoints } from './delivery-fault-points';
import { type QueueLease } from '../leases/queue-lease';
import { QueueLeases } from '../leases/queue-leases';
/** The deliveries of this process: begun, kept alive, and ended with it (docs/contract.md#delivery). */
export declare class DeliveryRuns implements OnApplicationBootstrap, OnModuleDestroy {
    private readonly settings;
    private readonly leases;
    private readonly repository;
    private readonly delivery;
    private readonly faultPoints;
    private readonly logger;
    private readonly abort;
    /** By queue. */
    private readonly running;
    private timer;
    private isRenewing;
    private stopped;
    constructor(settings: Settings, leases: QueueLeases, repository: DeliveryRepository, delivery: DeliveryRun, faultPoints: DeliveryFaultPoints);
    onApplicationBootstrap(): void;
    onModuleDestroy(): Promise<void>;
    /** Begins no more, and gives what is on its way the grace time; what is not settled then is left to others. */
    stop(): Promise<void>;
    /** Whether a message may be delivered by this process right away, without a job. */
    get hasRoom(): boolean;
    /** Delivers from a queue until the lease on it has ended. Never rejects. */
    begin(lease: QueueLease): Promise<void>;
    private drain;
    /** @param earlier a run of the same queue whose lease has lapsed, and which may not have noticed yet */
    private deliver;
    private hasEnded;
    private giveUp;
    private renewLeases;
}
