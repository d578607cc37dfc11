import { type ColumnsOf, type SqlRunner } from '../database';
import type { IdempotencyKey } from './idempotency-key.entity';
/** How long a key is kept, as SQL. */
export declare const LIFETIME = "interval '24 hours'";
/** What identifies a request. */
type RequestColumns = Pick<IdempotencyKey, 'userId' | 'keyDigest' | 'requestDigest'>;
/** An earlier request with the key, and whether it should have ended long ago. */
export type EarlierRow = ColumnsOf<IdempotencyKey, 'requestDigest' | 'state' | 'status' | 'answer'> & {
    readonly overdue: boolean;
};
/**
 * Claims a key that is new, or kept longer than its lifetime. By hand: of concurrent requests with the key,
 * one statement decides which is the first.
 * @returns false when an earlier request has the key
 */
export declare function claimKey(database: SqlRunner, { userId, keyDigest, requestDigest }: RequestColumns): Promise<boolean>;
/** The earlier request with a key. By hand: its age is measured with the database's clock, which set it. */
export declare function selectEarlier(database: SqlRunner, { userId, keyDigest }: Pick<RequestColumns, 'userId' | 'keyDigest'>): Promise<EarlierRow | null>;
export {};
