import type { ListCondition } from './list-condition.read-model';
import { orderBy, type PageWindow, sortKey, walk } from './list-order.query';
import type { Listed } from '../../listed/listed-conversation.query';
import { COLUMNS, FROM, LISTED_COLUMNS, type OrgConversationRow } from './org-conversation.read-model';
import type { OrgConversationsQuery } from './org-conversations.dto';

/*
 * The pages of the organization list. By hand because a page and its total are read at one moment by one
 * statement, along the index that has the order (docs/decisions/0009-sql-by-hand.md).
 */

/** Each row of a page carries the total, so that both are of one snapshot. */
export type PageRow = Listed<OrgConversationRow> & { readonly total: number };

/** The conversation `$1` of an organization `$2`. */
export const ONE_CONVERSATION = `SELECT ${COLUMNS} FROM ${FROM}
  WHERE c.id = $1 AND c.org_id = $2 AND c.deleted_at IS NULL`;

/**
 * A page along an index.
 * @param counted the total, as an expression
 * @param backwards reads the list from its end; the window counts from there then
 */
export function indexedPage(
  { branches }: ListCondition,
  counted: string,
  query: OrgConversationsQuery,
  window: PageWindow,
  backwards: boolean,
): string {
  const ids = walk(query, branches.join(' OR '), window, backwards);
  // Not queried beyond the last row: that would scan the whole index.
  const left = `(SELECT greatest(total - ${window.offset}, 0)::bigint FROM counted)`;
  return `WITH counted AS MATERIALIZED (${totalOf(counted)})
    ${pageOf(query, 'SELECT total FROM counted', `SELECT id FROM (${ids}) walked LIMIT ${left}`)}`;
}

/** The total that an expression yields. */
export function totalOf(counted: string): string {
  return `SELECT ${counted} AS total`;
}

/** A page of a search without a usable order: all matches are counted and sorted once. */
export function foundPage(
  condition: ListCondition,
  query: OrgConversationsQuery,
  { offset, limit }: PageWindow,
): string {
  const ids = `SELECT id FROM found ORDER BY ${orderBy(query, 'key', 'id')} LIMIT ${limit} OFFSET ${offset}`;
  return `WITH found AS MATERIALIZED (${matches(condition, query)})
    ${pageOf(query, 'SELECT count(*) FROM found', ids)}`;
}

/** The total of {@link foundPage}, for a page behind the last one. */
export function foundTotal(condition: ListCondition, query: OrgConversationsQuery): string {
  return `SELECT count(*) AS total FROM (${matches(condition, query)}) found`;
}

function matches({ from, branches }: ListCondition, query: OrgConversationsQuery): string {
  return branches
    .map((branch) => `SELECT c.id, ${sortKey(query)} AS key FROM ${from} WHERE ${branch}`)
    .join(' UNION ALL ');
}

/** The rows with these ids, each with the total. */
function pageOf(query: OrgConversationsQuery, total: string, ids: string): string {
  return `SELECT ${LISTED_COLUMNS}, (${total}) AS total FROM ${FROM}
           WHERE c.id = ANY (ARRAY(${ids}))
           ORDER BY ${orderBy(query, sortKey(query), 'c.id')}`;
}
