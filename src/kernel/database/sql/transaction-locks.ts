import type { SqlRunner } from './sql';

/**
 * Waits for an advisory lock and holds it until the transaction ends.
 * @param lock one of `ADVISORY_LOCKS`, or a text that names what is locked
 */
export async function lockForTransaction(transaction: SqlRunner, lock: number | string): Promise<void> {
  const key = typeof lock === 'number' ? '$1' : 'hashtextextended($1, 0)';
  await transaction.query(`SELECT pg_advisory_xact_lock(${key})`, [lock]);
}
