import { type SqlRunner } from '../database';
import type { Bucket } from './buckets';
import { type SharedCount, type UnsharedCount } from './window-counts';
/** A count of a bucket. */
export type InBucket<Count> = Count & {
    readonly bucket: Bucket;
};
/**
 * Adds counts to those of all replicas, and answers what they amount to. By hand: one statement for everything that
 * was counted in a second, by the database's clock, which all replicas share; sorted, so that two replicas lock rows in
 * the same order.
 */
export declare function addCounts(database: SqlRunner, counts: readonly InBucket<UnsharedCount>[]): Promise<InBucket<SharedCount>[]>;
/** Deletes counts of minutes that are over. By hand: by the database's clock, which set their ends. */
export declare function deleteOldCounts(database: SqlRunner): Promise<void>;
