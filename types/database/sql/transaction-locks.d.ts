import type { SqlRunner } from './sql';
/**
 * Waits for an advisory lock and holds it until the transaction ends.
 * @param lock one of `ADVISORY_LOCKS`, or a text that names what is locked
 */
export declare function lockForTransaction(transaction: SqlRunner, lock: number | string): Promise<void>;
