import { type SqlRunner } from '../../database';
/**
 * Updates `last_used_at` of keys, unless it was updated within `everyMs`. By hand: one statement for all keys of a
 * flush, in which replicas skip each other's updates.
 */
export declare function writeLastUse(database: SqlRunner, lastUses: ReadonlyMap<number, Date>, everyMs: number): Promise<void>;
