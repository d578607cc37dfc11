import type { EntityManager } from 'typeorm';
/** How many sandboxes count towards the caps. */
export interface CapacityInUse {
    readonly total: number;
    readonly of_org: number;
}
/**
 * Counts the sandboxes that run, start or are still stopping, and keeps others from counting until the
 * transaction ends. By hand, because TypeORM has no filtered aggregates.
 * @param exceptId the sandbox that asks, which does not count against itself
 */
export declare function countCapacityInUse(transaction: EntityManager, orgId: string, exceptId: string | null): Promise<CapacityInUse>;
