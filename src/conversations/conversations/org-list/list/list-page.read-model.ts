import type { ListCondition } from './list-condition.read-model';
import { orderBy, type PageWindow, sortKey, walk } from './list-order.query';
import type { Listed } from '../../listed/listed-conversation.query';
import { RECORD_TEXT } from './org-conversation-json.read-model';
import {
  COLUMNS,
  FROM,
  LISTED_COLUMNS,
  type OrgConversationRow,
  SHOWN_SANDBOX_STATUS,
} from './org-conversation.read-model';
import type { OrgConversationsQuery } from './org-conversations.dto';

/*
 * The pages of the organization list. By hand because a page and its total are read at one moment by one
 * statement, along the index that has the order (docs/decisions/0009-sql-by-hand.md).
 */

/** A statement with its parameters. */
export interface PageStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Each row of a page carries the total, so that both are of one snapshot. */
export type PageRow = Listed<OrgConversationRow> & { readonly total: number };

/** A page as one row. */
export interface PageTextRow {
  readonly total: number;
  /** The JSON texts of its records, as `RECORD_TEXT` has them, with commas in between. */
  readonly records: string;
  /** Whether no record was left out, being large. */
  readonly isWhole: boolean;
}

/** Whether a page is read as {@link PageRow}s or as a {@link PageTextRow}. */
export type PageForm = 'rows' | 'text';

/** The conversation `$1` of an organization `$2`. */
export const ONE_CONVERSATION = `SELECT ${COLUMNS} FROM ${FROM}
  WHERE c.id = $1 AND c.org_id = $2 AND c.deleted_at IS NULL`;

/**
 * A page along an index.
 * @param counted the total, as an expression
 */
export function indexedPage(
  form: PageForm,
  condition: ListCondition,
  counted: string,
  query: OrgConversationsQuery,
  window: PageWindow,
): PageStatement {
  const where = condition.branches.join(' OR ');
  const { offset, limit } = window;
  const walked = walk(query, where, window);
  const ids = query.time_window === 'all' ? walked : fewOrMany(query, where, walked, offset);
  // Not queried beyond the last row: that would scan the whole index.
  const left = `least($${condition.parameters.length + 1}, greatest(total - ${offset}, 0))::bigint`;
  return page(form, condition, query, {
    before: `counted AS MATERIALIZED (${totalOf(counted)})`,
    total: 'SELECT total FROM counted',
    ids: `SELECT id FROM (${ids}) walked LIMIT (SELECT ${left} FROM counted)`,
    parameters: [...condition.parameters, limit],
  });
}

/** So few conversations are read and sorted sooner than found along an index, where they can be far from each other. */
const FEW = 300;

/** The ids of a page of a time window, as of {@link walk}; a window has its few along the index of creation. */
function fewOrMany(query: OrgConversationsQuery, where: string, walked: string, offset: number): string {
  if (query.sort_by === 'created_at') return walked;
  const total = '(SELECT total FROM counted)';
  const few = `SELECT c.id FROM conversations c WHERE ${where} AND ${total} <= ${FEW}`;
  return `(SELECT c.id FROM conversations c WHERE c.id = ANY (ARRAY(${few}))
      ORDER BY ${orderBy(query, sortKey(query), 'c.id')} OFFSET ${offset})
    UNION ALL (SELECT id FROM (${walked}) many WHERE ${total} > ${FEW})`;
}

/** The total that an expression yields. */
export function totalOf(counted: string): string {
  return `SELECT ${counted} AS total`;
}

/** A page of a search without a usable order: all matches are counted and sorted once. */
export function foundPage(
  form: PageForm,
  condition: ListCondition,
  query: OrgConversationsQuery,
  { offset, limit }: PageWindow,
): PageStatement {
  return page(form, condition, query, {
    before: `found AS MATERIALIZED (${matches(condition, query)})`,
    total: 'SELECT count(*) FROM found',
    ids: `SELECT id FROM found ORDER BY ${orderBy(query, 'key', 'id')} LIMIT ${limit} OFFSET ${offset}`,
    parameters: condition.parameters,
  });
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

/** The parts of a page's statement. */
export interface PageParts {
  /** What the others read from. */
  readonly before: string;
  readonly total: string;
  readonly ids: string;
  readonly parameters: readonly unknown[];
}

/** A page of the conversations that its parts find. */
export function page(
  form: PageForm,
  { statusOfPage }: ListCondition,
  query: OrgConversationsQuery,
  { before, total, ids, parameters }: PageParts,
): PageStatement {
  const rows = `FROM ${FROM} WHERE c.id = ANY (ARRAY(${ids})) ORDER BY ${orderBy(query, sortKey(query), 'c.id')}`;
  if (form === 'rows')
    return { sql: `WITH ${before} SELECT ${LISTED_COLUMNS}, (${total}) AS total ${rows}`, parameters };
  const shown = statusOfPage === null ? '' : `WHERE status = $${parameters.length + 1}`;
  return {
    sql: `WITH ${before}
      SELECT (${total}) AS total, coalesce(string_agg(record, ','), '') AS records,
             coalesce(bool_and(record IS NOT NULL), true) AS "isWhole"
        FROM (SELECT ${RECORD_TEXT} AS record, ${SHOWN_SANDBOX_STATUS} AS status ${rows}) page ${shown}`,
    parameters: statusOfPage === null ? parameters : [...parameters, statusOfPage],
  };
}
