import type { EntityManager } from 'typeorm';
import { type Settings } from '../../config';
import { Clock } from '../../common';
import { type LockedLog } from './event.query';
/** How many bytes of events are stored (docs/contract.md#event-limits). */
export declare class EventLimits {
    private readonly settings;
    private readonly clock;
    /** Until when organizations are known to be far from the limit. */
    private readonly farUntilMs;
    constructor(settings: Settings, clock: Clock);
    /**
     * Checks whether events may be added to a log. Near the limit of the organization its counters stay locked until
     * the transaction ends, so that calls at once do not pass it together.
     * @throws ConversationEventBytesError, OrganizationEventBytesError
     */
    assertRoom(transaction: EntityManager, log: LockedLog, added: number): Promise<void>;
    private isFar;
}
