import type { ListCondition } from './list-condition.read-model';
import { type PageWindow } from './list-order.query';
import type { Listed } from '../../listed/listed-conversation.query';
import { type OrgConversationRow } from './org-conversation.read-model';
import type { OrgConversationsQuery } from './org-conversations.dto';
/** A row of a page has the total as well, so that both are of one moment. */
export type PageRow = Listed<OrgConversationRow> & {
    readonly total: number;
};
/** The conversation `$1` of an organization `$2`. */
export declare const ONE_CONVERSATION: string;
/**
 * A page along an index.
 * @param counted the total, as an expression
 * @param backwards reads the list from its end; the window counts from there then
 */
export declare function indexedPage({ branches }: ListCondition, counted: string, query: OrgConversationsQuery, window: PageWindow, backwards: boolean): string;
/** The total that an expression tells. */
export declare function totalOf(counted: string): string;
/** A page of what has to be found first: all matches are counted and sorted once. */
export declare function foundPage(condition: ListCondition, query: OrgConversationsQuery, { offset, limit }: PageWindow): string;
/** The total of {@link foundPage}, for a page behind the last one. */
export declare function foundTotal(condition: ListCondition, query: OrgConversationsQuery): string;
