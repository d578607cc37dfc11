import type { SandboxStatus } from '../../../sandboxes';
import type { ConversationUsage } from './org-stats.dto';
/** How one status is counted, top conversations and sub-conversations apart. */
export interface StatusRow {
    readonly execution_status: string;
    readonly is_sub: boolean;
    readonly conversations: number;
}
export interface UsageRow extends Omit<ConversationUsage, 'total_tokens'> {
    readonly llm_model: string;
    /** Whether the row is all models together. */
    readonly is_total: boolean;
}
/** All statistics of an organization, as one row. */
export interface StatsRow {
    readonly statuses: readonly StatusRow[];
    readonly usage: readonly UsageRow[];
    readonly sandboxes: Readonly<Partial<Record<SandboxStatus, number>>>;
    readonly '7d': number;
    readonly '30d': number;
    readonly '90d': number;
}
/**
 * The statistics of an organization ($1), from the counters that the database keeps. By hand because one query
 * reads all of them at one moment (docs/decisions/0010-counters-kept-by-the-database.md).
 * @param now the end of the time windows
 */
export declare function statsQuery(now: Date): string;
