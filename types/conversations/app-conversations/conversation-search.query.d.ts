import { Statement } from '../../database';
import type { AppConversationFilter, AppConversationSearch } from './app-conversation.dto';
import type { ConversationRow } from '../record/conversation-row';
import { type LargeRow, type Listed } from '../listed/listed-conversation.query';
/** A condition with its parameters, to be read as part of one statement. */
export interface Condition {
    readonly sql: string;
    readonly parameters: unknown[];
}
/** A conversation of a list. */
export type ListedRow = Listed<ConversationRow>;
/** A conversation with the title it is sorted by: the database's own, whose lower case differs from ours. */
export type FoundRow = ListedRow & {
    readonly sortKey: string;
};
/** Conversations by their ids ($1). By hand because their large columns are read later. */
export declare const LISTED_BY_ID: Statement<ListedRow>;
/** The large columns of conversations ($1). */
export declare const LARGE_BY_ID: Statement<LargeRow>;
/**
 * The search of a user's conversations. By hand because a page begins at a pair of an expression and an id, and
 * titles are compared in lower case as the database has it, for which there is an index.
 * @param limit of rows
 */
export declare function searchStatement({ sql }: Condition, order: AppConversationSearch['sort_order'], limit: number): Statement<FoundRow>;
/** How many conversations meet a condition. */
export declare function countStatement({ sql }: Condition): Statement<{
    readonly count: string;
}>;
/** Which of a user's conversations in one organization a filter selects. */
export declare function ownedCondition(userId: string, orgId: string, filter: AppConversationFilter): Condition;
/** Narrows a condition to what comes from a page's start on; an unreadable `page_id` starts at the beginning. */
export declare function fromPage({ sql, parameters }: Condition, order: AppConversationSearch['sort_order'], pageId: string | undefined): Condition;
/** The page id that starts a page with this row. */
export declare function pageIdOf(row: FoundRow, order: AppConversationSearch['sort_order']): string;
