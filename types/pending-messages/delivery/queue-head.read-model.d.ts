import { PreparedStatement } from '../../database';
import type { MessageColumns } from './delivery.query';
/** A queue with its conversation and its first message. */
export interface HeadColumns extends MessageColumns {
    readonly closed_reason: string | null;
    readonly wait_ms: number | null;
    readonly conversation_id: string | null;
    readonly sandbox_id: string | null;
    readonly last_rank: string;
    readonly state: 'queued' | 'delivering' | null;
}
/**
 * The queue ($1), its conversation, and its first message: one whose outcome is unknown before all others. By hand, and
 * prepared: every delivery begins with it (docs/decisions/0009-sql-by-hand.md).
 */
export declare const READ_HEAD: PreparedStatement<HeadColumns>;
