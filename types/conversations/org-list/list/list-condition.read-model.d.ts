import { OrgConversationsExport, type OrgConversationsFilter } from './org-conversations.dto';
/** What is asked of a list, with the parts of SQL that say so. */
export interface ListCondition {
    /** Where the rows come from: conversations as `c`, and what else has to be read. */
    readonly from: string;
    /** Conditions that exclude each other: a conversation meets one of them at most. */
    readonly branches: readonly string[];
    readonly parameters: readonly unknown[];
    /** The exact total by counters, as an expression; null when they do not know what is asked for. */
    readonly counted: string | null;
}
/** The moment a time window begins, or null when it has no beginning. */
export declare function windowStart(window: OrgConversationsFilter['time_window'], now: Date): Date | null;
/**
 * Reads a filter as SQL; `$1` is the organization. By hand because each place of a search is read from its own index,
 * those of creators and sandboxes too (docs/decisions/0009-sql-by-hand.md).
 * @param inQuery whether `sandbox_status` filters in the query; otherwise it is left to the page
 */
export declare function listCondition(orgId: string, given: OrgConversationsExport, now: Date, inQuery: boolean): ListCondition;
