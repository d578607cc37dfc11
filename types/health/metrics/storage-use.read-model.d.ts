import { Statement } from '../../database';
/** How far a limit of stored bytes is used by those who use it most. */
export interface StorageUseRow {
    readonly limit: string;
    readonly owner: string;
    readonly ratio: number;
}
/**
 * Who uses a limit most, at most 20 of each: bytes of messages of a user ($1) and of an organization ($2), of events
 * of a conversation ($3) and of an organization ($4), and of messages for a conversation to come ($5).
 */
export declare const STORAGE_USE: Statement<StorageUseRow>;
