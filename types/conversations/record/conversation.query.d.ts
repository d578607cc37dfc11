import { type ColumnsOf, Statement } from '../../database';
import type { Conversation } from './conversation.entity';
/** A conversation that is deleted, or is to be. */
export interface FamilyMember {
    readonly id: string;
    readonly orgId: string;
    readonly sandboxId: string | null;
    /** The start that may have made it at its agent server; null once it is known to have. */
    readonly startTaskId: string | null;
}
/** By hand because it is recursive: a conversation ($1) and all below it, as far as they are not deleted. */
export declare const FAMILY: Statement<FamilyMember>;
/** By hand because it looks at the starts of conversations as well: those in a sandbox ($1) that are not deleted. */
export declare const MEMBERS_OF_SANDBOX: Statement<FamilyMember>;
/** By hand because the database groups: the conversations below each of several ($1), oldest first. */
export declare const CHILDREN: Statement<{
    readonly parent: string;
    readonly children: string[];
}>;
/** By hand because it is an aggregate: what becomes of a sandbox ($1) whose conversations are deleted. */
export declare const SANDBOX_USE: Statement<{
    readonly inUse: boolean | null;
    readonly madeForOne: boolean | null;
}>;
/** What an agent server may change of a record, next to its status; events name these columns. */
export declare const REPORTED_FIELDS: readonly ["title", "llm_model", "agent_kind", "accumulated_cost", "prompt_tokens", "completion_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens", "context_window", "per_turn_tokens"];
/** What events compare of a record. */
export type ReportedColumns = ColumnsOf<Conversation, 'orgId' | 'startState' | 'executionStatus'> & Pick<ColumnsOf<Conversation, keyof Conversation>, (typeof REPORTED_FIELDS)[number]>;
/** By hand because events name columns: locks a conversation ($1) and reads what is compared of it. */
export declare const LOCK_REPORTED_COLUMNS: Statement<ReportedColumns>;
