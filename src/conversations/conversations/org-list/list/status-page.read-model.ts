import type { ListCondition } from './list-condition.read-model';
import { orderBy, type PageWindow, sortKey, walk } from './list-order.query';
import { page, type PageForm, type PageStatement } from './list-page.read-model';
import type { OrgConversationsQuery } from './org-conversations.dto';

/*
 * Pages of the conversations of one status of sandboxes. By hand because what was noted of conversations and what
 * changed since are read at one moment, by functions of the database that both come from
 * (docs/decisions/0053-totals-by-sandbox-status.md).
 */

/** How far conversations are looked for along the index of another order than that of creation. */
interface Reach {
  /** So few of a status are read and sorted sooner. */
  readonly few: number;
  /** So many conversations are looked at. */
  readonly walked: number;
}

const REACH: Reach = { few: 5_000, walked: 20_000 };

/** The total, and the conversations that changed since it was noted which have the status now. */
function before({ from, branches }: ListCondition, query: OrgConversationsQuery): string {
  return `changed AS MATERIALIZED (
      SELECT id FROM conversation_sandbox_changes WHERE org_id = $1 AND NOT is_sandbox
      UNION SELECT c.id FROM conversation_sandbox_changes h JOIN conversations c ON c.sandbox_id = h.id
       WHERE h.is_sandbox AND c.org_id = $1),
    fresh AS MATERIALIZED (
      SELECT c.id, c.created_at FROM ${from}
       WHERE c.id = ANY (ARRAY(SELECT id FROM changed)) AND (${branches.join(' OR ')})),
    counted AS MATERIALIZED (
      SELECT ((SELECT coalesce(sum(r.conversations), 0) FROM conversation_sandbox_counts r WHERE ${noted(query)})
            - (SELECT count(*) FROM conversation_sandbox_statuses r
                WHERE r.conversation_id = ANY (ARRAY(SELECT id FROM changed)) AND ${noted(query)})
            + (SELECT count(*) FROM fresh))::double precision AS total)`;
}

/** What was noted, `r`, as the query wants it; `$2` is the status. */
function noted({ include_sub_conversations: includesSubs }: OrgConversationsQuery): string {
  return `r.org_id = $1 AND r.status = $2${includesSubs ? '' : ' AND NOT r.is_sub'}`;
}

/** Of {@link noted}, what did not change since. */
function unchanged(query: OrgConversationsQuery): string {
  return `${noted(query)} AND r.conversation_id NOT IN (SELECT id FROM changed)`;
}

/** A page of a condition that is of one status alone. */
export function statusPage(
  form: PageForm,
  condition: ListCondition,
  query: OrgConversationsQuery,
  window: PageWindow,
  reach = REACH,
): PageStatement {
  const found =
    query.sort_by === 'created_at' ? byCreation(query, window) : byOther(condition, query, window, reach);
  return page(form, condition, query, {
    before: [before(condition, query), ...found.before].join(', '),
    total: 'SELECT total FROM counted',
    ids: found.ids,
    parameters: condition.parameters,
  });
}

/** The total of {@link statusPage} alone. */
export function statusTotal(condition: ListCondition, query: OrgConversationsQuery): string {
  return `WITH ${before(condition, query)} SELECT total FROM counted`;
}

/** The ids of a page, and what they are read from beside {@link before}. */
interface PageIds {
  readonly before: readonly string[];
  readonly ids: string;
}

function byCreation(query: OrgConversationsQuery, { offset, limit }: PageWindow): PageIds {
  // Without the place of nulls, which there are none of, for the index.
  const order = query.sort_order;
  const ids = `SELECT id FROM (
      (SELECT r.conversation_id AS id, r.created_at FROM conversation_sandbox_statuses r WHERE ${unchanged(query)}
        ORDER BY r.created_at ${order}, r.conversation_id ${order} LIMIT ${offset + limit})
      UNION ALL SELECT id, created_at FROM fresh) w
    ORDER BY created_at ${order}, id ${order} OFFSET ${offset} LIMIT ${limit}`;
  return { before: [], ids };
}

/**
 * Along the index of the order, as far as the conversations of the status are near its beginning; else all of them are
 * sorted.
 */
function byOther(
  { from, branches }: ListCondition,
  query: OrgConversationsQuery,
  { offset, limit }: PageWindow,
  { few, walked }: Reach,
): PageIds {
  const isWanted = `(SELECT true FROM ${from} WHERE c.id = w.id AND (${branches.join(' OR ')}))`;
  const first = walk(query, 'c.org_id = $1 AND c.deleted_at IS NULL', { offset: 0 }, walked);
  return {
    before: [
      `walked AS MATERIALIZED (
        SELECT w.id FROM (${first}) w WHERE (SELECT total FROM counted) > ${few} AND ${isWanted}
         LIMIT ${offset + limit})`,
      `is_walked AS MATERIALIZED (
        SELECT count(*) >= least(${offset + limit}, (SELECT total FROM counted)) AS yes FROM walked)`,
    ],
    ids: `(SELECT id FROM walked WHERE (SELECT yes FROM is_walked) OFFSET ${offset})
      UNION ALL (
        SELECT c.id FROM conversations c
         WHERE NOT (SELECT yes FROM is_walked) AND c.id IN (
           SELECT r.conversation_id FROM conversation_sandbox_statuses r WHERE ${unchanged(query)}
           UNION ALL SELECT id FROM fresh)
         ORDER BY ${orderBy(query, sortKey(query), 'c.id')} OFFSET ${offset} LIMIT ${limit})`,
  };
}
