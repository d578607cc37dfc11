import { MAX_PER_PAGE, type OrgConversationsFilter } from './org-conversations.dto';

/*
 * By hand because rows without a sort key are read apart from the others, each part in the order of its index,
 * which TypeORM cannot write (docs/decisions/0009-sql-by-hand.md).
 */

/** The sort columns of a list, each the key of an index on conversations `c`. */
const SORT_KEYS = {
  created_at: { sql: 'c.created_at', nullable: false },
  updated_at: { sql: 'c.updated_at', nullable: false },
  accumulated_cost: { sql: 'c.accumulated_cost', nullable: false },
  llm_model: { sql: 'c.sort_model', nullable: true },
  title: { sql: 'c.sort_title', nullable: true },
} as const satisfies Record<OrgConversationsFilter['sort_by'], { sql: string; nullable: boolean }>;

type Order = Pick<OrgConversationsFilter, 'sort_by' | 'sort_order'>;

/** A window of a list, as offset and limit. */
export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
  /** Reads the list from its end; the window counts from there then. */
  readonly backwards?: boolean;
}

/** The sort key, as an expression over `c`. */
export function sortKey(order: Order): string {
  return SORT_KEYS[order.sort_by].sql;
}

/**
 * The `ORDER BY` of rows with this sort key and this id: null last, ties by id
 * (docs/contract.md#organization-list).
 */
export function orderBy({ sort_order }: Order, key: string, id: string): string {
  return `${key} ${sort_order} NULLS LAST, ${id} ${sort_order}`;
}

/**
 * A query for the ids of a page window of a list, in index order: what is skipped is read from the index alone.
 * Rows without a sort key are a part of their own, because an index has its nulls at one end and the list has
 * them last in either direction. The query has the ids of the largest page, of which the caller takes as many as it wants: pages of
 * all sizes are the same statement then.
 * @param most how many ids it has
 */
export function walk(
  order: Order,
  where: string,
  { offset, backwards = false }: Omit<PageWindow, 'limit'>,
  most = MAX_PER_PAGE,
): string {
  const { sql, nullable } = SORT_KEYS[order.sort_by];
  const direction = (order.sort_order === 'asc') !== backwards ? 'ASC' : 'DESC';
  const part = (condition: string, by: string): string =>
    `SELECT c.id FROM conversations c WHERE ${condition} ORDER BY ${by}`;
  const byKey = `${sql} ${direction}, c.id ${direction}`;
  const within = `OFFSET ${offset} LIMIT ${most}`;
  if (!nullable) return `${part(where, byKey)} ${within}`;
  const parts = [
    part(`${where} AND ${sql} IS NOT NULL`, byKey),
    part(`${where} AND ${sql} IS NULL`, `c.id ${direction}`),
  ].map((sorted) => `(${sorted} LIMIT ${offset + most})`);
  if (backwards) parts.reverse();
  return `SELECT id FROM (${parts.join(' UNION ALL ')}) w ${within}`;
}
