import type { EntityManager } from 'typeorm';
import { type Settings } from '../../config';
import { type CapacityInUse } from './sandbox-capacity.query';
/** The caps on sandboxes that run, start or are still stopping (docs/contract.md#sandbox-caps). */
export declare class SandboxCapacity {
    private readonly settings;
    constructor(settings: Settings);
    /**
     * Makes sure that one more may run, until the transaction ends.
     * @param sandboxId the sandbox that is to run again; one that is still stopping counts already
     * @throws ConcurrencyLimitReachedError
     */
    reserve(transaction: EntityManager, orgId: string, sandboxId?: string | null): Promise<void>;
    /** What counts towards the caps; nobody else reserves anything until the transaction ends. */
    inUse(transaction: EntityManager, orgId: string, sandboxId: string | null): Promise<CapacityInUse>;
    /** @throws ConcurrencyLimitReachedError unless one more may run */
    assertFree(inUse: CapacityInUse): void;
}
