import { Clock } from '../../common';
import { type Settings } from '../../config';
import { DeliveryRepository, type DeliveryPause } from './delivery.repository';
import { DeliveryFaultPoints } from './delivery-fault-points';
import { DeliveryTargets } from './delivery-targets';
import { MessageSender } from './message-sender';
import { DeliveryVerifier } from './delivery-verifier';
import type { QueueLease } from '../leases/queue-lease';
/** Why a run stops: nothing is left and its lease has ended, or it pauses. */
export type RunEnd = 'done' | 'until woken' | DeliveryPause;
/**
 * Delivers the messages of a queue, one message at a time and in order (docs/contract.md#delivery). Right before
 * the first byte of each message is written, the lease on the queue is checked by the monotonic clock, and
 * what is on its way when the lease lapses is cut off. A process that is stopped until then can do neither:
 * one stopped between that check and the write writes late, and one stopped while it waits for the response
 * keeps its connection. That is the window that remains.
 */
export declare class DeliveryRun {
    private readonly settings;
    private readonly repository;
    private readonly targets;
    private readonly verifier;
    private readonly sender;
    private readonly clock;
    private readonly faultPoints;
    constructor(settings: Settings, repository: DeliveryRepository, targets: DeliveryTargets, verifier: DeliveryVerifier, sender: MessageSender, clock: Clock, faultPoints: DeliveryFaultPoints);
    /**
     * Delivers until nothing is left, or nothing can be delivered for now.
     * @param signal no further message is begun once it is aborted
     * @throws QueueLeaseLostError
     */
    drain(lease: QueueLease, signal: AbortSignal): Promise<RunEnd>;
    private ended;
    private deliver;
    /** Sends a message and then the ones behind it while the target is known to run. */
    private send;
    private handleRefusal;
    /** Finds out what became of a message whose outcome is unknown, once its settling time has passed. */
    private settle;
    private handleUnreachable;
    private settlingTime;
}
