import type { OrgConversationsFilter } from './org-conversations.dto';
type Order = Pick<OrgConversationsFilter, 'sort_by' | 'sort_order'>;
/** A part of a list: so many rows after so many others. */
export interface PageWindow {
    readonly offset: number;
    readonly limit: number;
}
/** What rows are sorted by, as an expression over `c`. */
export declare function sortKey(order: Order): string;
/**
 * The `ORDER BY` of rows with this sort key and this id: null last, ties by id
 * (docs/contract.md#organization-list).
 */
export declare function orderBy({ sort_order }: Order, key: string, id: string): string;
/**
 * A query for the ids of a page window of a list, in index order: what is skipped is read from the index alone.
 * Rows without a sort key are a part of their own, because an index has its nulls at one end and the list has
 * them last in either direction.
 * @param backwards reads the list from its end; the window counts from there then
 */
export declare function walk(order: Order, where: string, { offset, limit }: PageWindow, backwards: boolean): string;
export {};
