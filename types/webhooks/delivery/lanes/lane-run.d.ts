import { Clock } from '../../../common';
import { WebhookFaultPoints } from '../../queue/webhook-fault-points';
import { WebhookSecrets } from '../../secrets/webhook-secrets';
import { CallbackSender } from '../callback/callback-sender';
import { EventTexts } from '../callback/event-texts';
import type { LeasedLane } from '../leases/lane-leases';
import { RequestSlots } from './request-slots';
import { Settlements } from '../settlement/settlements';
/**
 * Delivers from a lane, one delivery after the other: the next goes out when the last one's success is recorded. The
 * lease is checked right before each request, and what is on its way when it lapses is cut off (docs/webhooks.md#delivery).
 */
export declare class LaneRun {
    private readonly slots;
    private readonly sender;
    private readonly settlements;
    private readonly secrets;
    private readonly events;
    private readonly clock;
    private readonly faultPoints;
    private readonly logger;
    constructor(slots: RequestSlots, sender: CallbackSender, settlements: Settlements, secrets: WebhookSecrets, events: EventTexts, clock: Clock, faultPoints: WebhookFaultPoints);
    /**
     * Delivers until nothing is left, or the next is to be tried later.
     * @throws LaneLostError, SlotsClosedError, or what the database throws
     */
    drain({ lease, head }: LeasedLane): Promise<void>;
    private deliver;
    private attempt;
    /** Null when the secret cannot be read. */
    private callbackOf;
    private eventOf;
    private unsigned;
}
