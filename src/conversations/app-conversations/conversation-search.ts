import { parseUuid, storableText } from '../../common';
import type { AppConversationFilter, AppConversationSearch } from './app-conversation.dto';
import { CONVERSATION_COLUMNS, type ConversationRow } from '../record/conversation-rows';

/** A condition with its parameters, to be read as part of one statement. */
export interface Condition {
  readonly sql: string;
  readonly parameters: unknown[];
}

const TITLE = `lower(coalesce(c.title, ''))`;

const ORDERS = {
  CREATED_AT: { key: 'c.created_at', type: 'timestamptz', direction: 'ASC' },
  CREATED_AT_DESC: { key: 'c.created_at', type: 'timestamptz', direction: 'DESC' },
  UPDATED_AT: { key: 'c.updated_at', type: 'timestamptz', direction: 'ASC' },
  UPDATED_AT_DESC: { key: 'c.updated_at', type: 'timestamptz', direction: 'DESC' },
  TITLE: { key: TITLE, type: 'text', direction: 'ASC' },
  TITLE_DESC: { key: TITLE, type: 'text', direction: 'DESC' },
} as const satisfies Record<AppConversationSearch['sort_order'], object>;

/** A conversation with the title it is sorted by: the database's own, whose lower case differs from ours. */
export type FoundRow = ConversationRow & { readonly sort_title: string };

/** The columns of {@link FoundRow}, of a table named `c`. */
export const FOUND_COLUMNS = `${CONVERSATION_COLUMNS}, ${TITLE} AS sort_title`;

/** What of the caller's conversations in one organization a filter asks for. */
export function ownedCondition(userId: string, orgId: string, filter: AppConversationFilter): Condition {
  const parameters: unknown[] = [userId, orgId];
  const parts = ['c.created_by_user_id = $1', 'c.org_id = $2', 'c.deleted_at IS NULL'];
  const add = (sql: (parameter: string) => string, value: unknown): void => {
    parameters.push(value);
    parts.push(sql(`$${parameters.length}`));
  };
  if (!filter.include_sub_conversations) parts.push('c.parent_conversation_id IS NULL');
  if (filter.title__contains !== undefined)
    add((p) => `position(lower(${p}) in ${TITLE}) > 0`, storableText(filter.title__contains));
  if (filter.created_at__gte) add((p) => `c.created_at >= ${p}`, filter.created_at__gte);
  if (filter.created_at__lt) add((p) => `c.created_at < ${p}`, filter.created_at__lt);
  if (filter.updated_at__gte) add((p) => `c.updated_at >= ${p}`, filter.updated_at__gte);
  if (filter.updated_at__lt) add((p) => `c.updated_at < ${p}`, filter.updated_at__lt);
  if (filter.sandbox_id__eq !== undefined)
    add((p) => `c.sandbox_id = ${p}`, parseUuid(filter.sandbox_id__eq));
  return { sql: parts.join(' AND '), parameters };
}

/** The `ORDER BY` of a search; ties by id, in the same direction. */
export function orderOf(order: AppConversationSearch['sort_order']): string {
  const { key, direction } = ORDERS[order];
  return `${key} ${direction}, c.id ${direction}`;
}

/** Narrows a condition to what comes from a page's start on; an unreadable `page_id` starts at the beginning. */
export function fromPage(
  { sql, parameters }: Condition,
  order: AppConversationSearch['sort_order'],
  pageId: string | undefined,
): Condition {
  const start = pageId === undefined ? null : readPageId(pageId);
  if (start === null) return { sql, parameters };
  const { key, type, direction } = ORDERS[order];
  if (type === 'timestamptz' && !isTimestamp(start.key)) return { sql, parameters };
  const [first, second] = [`$${parameters.length + 1}`, `$${parameters.length + 2}`];
  return {
    sql: `${sql} AND (${key}, c.id) ${direction === 'ASC' ? '>=' : '<='} (${first}::${type}, ${second}::uuid)`,
    parameters: [...parameters, start.key, start.id],
  };
}

/** The page id that starts a page with this row. */
export function pageIdOf(row: FoundRow, order: AppConversationSearch['sort_order']): string {
  const key = order.startsWith('TITLE')
    ? row.sort_title
    : (order.startsWith('CREATED') ? row.created_at : row.updated_at).toISOString();
  return Buffer.from(JSON.stringify([key, row.id])).toString('base64url');
}

/** As {@link pageIdOf} writes it: much of what else is a date here is none to the database. */
function isTimestamp(key: string): boolean {
  return /^(?!0000)\d{4}-/.test(key) && !Number.isNaN(Date.parse(key)) && new Date(key).toISOString() === key;
}

function readPageId(pageId: string): { key: string; id: string } | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(pageId, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed)) return null;
    const [key, id] = parsed as unknown[];
    const uuid = typeof id === 'string' ? parseUuid(id) : null;
    return typeof key === 'string' && uuid !== null ? { key: storableText(key), id: uuid } : null;
  } catch {
    return null;
  }
}
