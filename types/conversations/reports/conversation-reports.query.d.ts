import { Statement } from '../../database';
/** By hand because several calls of one agent server may make the same record at once. */
export declare const ADOPT_CONVERSATION: Statement<object>;
/**
 * By hand because reports come with every batch of events, and one statement both compares with what is stored and
 * writes (docs/decisions/0009-sql-by-hand.md). `updated_at` moves with what a client sees, and with new events ($14).
 * It reads the row that it updates and no other: reading it by a join, once more and locked, makes reports that come at
 * the same time deadlock, for a lock of a version of a row is no lock of the versions before it.
 */
export declare const APPLY_REPORT: Statement<object>;
