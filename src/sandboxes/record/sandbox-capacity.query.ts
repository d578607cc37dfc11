import type { EntityManager } from 'typeorm';
import { ADVISORY_LOCKS, lockForTransaction, queryRow } from '../../database';

/** How many sandboxes occupy a place. */
export interface HeldPlaces {
  readonly total: number;
  readonly of_org: number;
}

/**
 * Counts the sandboxes that run, start or are still stopping, and keeps others from counting until the
 * transaction ends. By hand, because TypeORM has no filtered aggregates.
 * @param exceptId the sandbox that asks, whose own place does not count against it
 */
export async function countHeldPlaces(
  transaction: EntityManager,
  orgId: string,
  exceptId: string | null,
): Promise<HeldPlaces> {
  await lockForTransaction(transaction, ADVISORY_LOCKS.capacity);
  const counts = await queryRow<HeldPlaces>(
    transaction,
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE org_id = $1)::int AS of_org FROM sandboxes
      WHERE (status IN ('STARTING', 'RUNNING') OR stopping IS NOT NULL) AND id IS DISTINCT FROM $2::uuid`,
    [orgId, exceptId],
  );
  return counts ?? { total: 0, of_org: 0 };
}
