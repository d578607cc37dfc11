import type { EntityManager } from 'typeorm';
import { ADVISORY_LOCKS, lockForTransaction, queryRow } from '../../../kernel/database';

/** How many sandboxes count towards the caps. */
export interface CapacityInUse {
  readonly total: number;
  readonly of_org: number;
  /** For how long the one that has been idle longest has been; null where one is stopping, or there is none. */
  readonly next: number | null;
  readonly next_of_org: number | null;
}

/** Whose sandboxes count. */
interface CountedSandboxes {
  readonly orgId: string;
  /** The sandbox that asks, which does not count against itself. */
  readonly exceptId: string | null;
  /** Those of others do not count: nobody can stop them. */
  readonly drivers: readonly string[];
}

/**
 * Counts the sandboxes that run, start or are still stopping, and keeps others from counting until the
 * transaction ends. By hand, because TypeORM has no filtered aggregates.
 */
export async function countCapacityInUse(
  transaction: EntityManager,
  { orgId, exceptId, drivers }: CountedSandboxes,
): Promise<CapacityInUse> {
  await lockForTransaction(transaction, ADVISORY_LOCKS.capacity);
  const counts = await queryRow<CapacityInUse>(
    transaction,
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE org_id = $1)::int AS of_org,
            ${longestIdle('true')} AS next, ${longestIdle('org_id = $1')} AS next_of_org
       FROM sandboxes
      WHERE (status IN ('STARTING', 'RUNNING') OR stopping IS NOT NULL) AND id IS DISTINCT FROM $2::uuid
        AND driver = ANY ($3)`,
    [orgId, exceptId, drivers],
  );
  return counts ?? { total: 0, of_org: 0, next: null, next_of_org: null };
}

function longestIdle(condition: string): string {
  return `CASE WHEN NOT coalesce(bool_or(stopping IS NOT NULL) FILTER (WHERE ${condition}), true)
               THEN max(extract(epoch FROM now() - last_activity_at)) FILTER (WHERE ${condition})::double precision END`;
}
