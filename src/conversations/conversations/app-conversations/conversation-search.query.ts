import { z } from 'zod';
import { PageIds, parseUuid, storableText, uuidText } from '../../../kernel/common';
import { Statement } from '../../../kernel/database';
import type { AppConversationFilter, AppConversationSearch } from './app-conversation.dto';
import { wantedTags } from '../listed/tags-filter';
import type { ConversationRow } from '../record/conversation-row';
import { LARGE_ROWS, type LargeRow, type Listed, listedColumns } from '../listed/listed-conversation.query';

/** A condition with its parameters, to be read as part of one statement. */
export interface Condition {
  readonly sql: string;
  readonly parameters: unknown[];
}

/** Put together once: it is the same for every search. */
const LISTED = listedColumns();

const TITLE = `lower(coalesce(c.title, ''))`;

const ORDERS = {
  CREATED_AT: { key: 'c.created_at', type: 'timestamptz', direction: 'ASC' },
  CREATED_AT_DESC: { key: 'c.created_at', type: 'timestamptz', direction: 'DESC' },
  UPDATED_AT: { key: 'c.updated_at', type: 'timestamptz', direction: 'ASC' },
  UPDATED_AT_DESC: { key: 'c.updated_at', type: 'timestamptz', direction: 'DESC' },
  TITLE: { key: TITLE, type: 'text', direction: 'ASC' },
  TITLE_DESC: { key: TITLE, type: 'text', direction: 'DESC' },
} as const satisfies Record<AppConversationSearch['sort_order'], object>;

/** A conversation of a list. */
export type ListedRow = Listed<ConversationRow>;

/** A conversation with the title it is sorted by: the database's own, whose lower case differs from ours. */
type FoundRow = ListedRow & { readonly sortKey: string };

/** Conversations by their ids ($1). By hand because their large columns are read later. */
export const LISTED_BY_ID = new Statement<ListedRow>(
  `SELECT ${LISTED} FROM conversations c WHERE c.id = ANY ($1) AND c.deleted_at IS NULL`,
);

/** The large columns of conversations ($1). */
export const LARGE_BY_ID = new Statement<LargeRow>(LARGE_ROWS);

/**
 * The search of a user's conversations. By hand because a page begins at a pair of an expression and an id, and
 * titles are compared in lower case as the database has it, for which there is an index.
 * @param limit of rows
 */
export function searchStatement(
  { sql }: Condition,
  order: AppConversationSearch['sort_order'],
  limit: number,
): Statement<FoundRow> {
  return new Statement(
    `SELECT ${LISTED}, ${TITLE} AS "sortKey" FROM conversations c WHERE ${sql}
      ORDER BY ${orderOf(order)} LIMIT ${limit}`,
  );
}

/** How many conversations meet a condition. */
export function countStatement({ sql }: Condition): Statement<{ readonly count: string }> {
  return new Statement(`SELECT count(*) FROM conversations c WHERE ${sql}`);
}

/** Which of a user's conversations in one organization a filter selects. */
export function ownedCondition(userId: string, orgId: string, filter: AppConversationFilter): Condition {
  const parameters: unknown[] = [userId, orgId];
  const parts = ['c.created_by_user_id = $1', 'c.org_id = $2', 'c.deleted_at IS NULL'];
  const add = (sql: (parameter: string) => string, value: unknown): void => {
    parameters.push(value);
    parts.push(sql(`$${parameters.length}`));
  };
  if (!filter.include_sub_conversations) parts.push('c.parent_conversation_id IS NULL');
  if (filter.title__contains !== undefined)
    add(
      (p) => `position(search_text(${p}) in search_text(coalesce(c.title, ''))) > 0`,
      storableText(filter.title__contains),
    );
  if (filter.created_at__gte) add((p) => `c.created_at >= ${p}`, filter.created_at__gte);
  if (filter.created_at__lt) add((p) => `c.created_at < ${p}`, filter.created_at__lt);
  if (filter.updated_at__gte) add((p) => `c.updated_at >= ${p}`, filter.updated_at__gte);
  if (filter.updated_at__lt) add((p) => `c.updated_at < ${p}`, filter.updated_at__lt);
  if (filter.sandbox_id__eq !== undefined)
    add((p) => `c.sandbox_id = ${p}`, parseUuid(filter.sandbox_id__eq));
  for (const wanted of wantedTags(filter.tags)) add((p) => `c.tags @> ${p}::jsonb`, wanted);
  return { sql: parts.join(' AND '), parameters };
}

/** The `ORDER BY` of a search; ties by id, in the same direction. */
function orderOf(order: AppConversationSearch['sort_order']): string {
  const { key, direction } = ORDERS[order];
  return `${key} ${direction}, c.id ${direction}`;
}

/** Narrows a condition to what comes from a page's start on. @throws PageIdInvalidError */
export function fromPage(
  { sql, parameters }: Condition,
  order: AppConversationSearch['sort_order'],
  pageId: string | undefined,
): Condition {
  const { key, type, direction } = ORDERS[order];
  const start = type === 'text' ? pagesByTitle(order).read(pageId) : pagesByTime(order).read(pageId);
  if (start === null) return { sql, parameters };
  const [first, second] = [`$${parameters.length + 1}`, `$${parameters.length + 2}`];
  return {
    sql: `${sql} AND (${key}, c.id) ${direction === 'ASC' ? '>=' : '<='} (${first}::${type}, ${second}::uuid)`,
    parameters: [...parameters, start.at, start.id],
  };
}

/** The page id that starts a page with this row. */
export function pageIdOf(row: FoundRow, order: AppConversationSearch['sort_order']): string {
  if (ORDERS[order].type === 'text') return pagesByTitle(order).write({ at: row.sortKey, id: row.id });
  return pagesByTime(order).write({
    at: order.startsWith('CREATED') ? row.createdAt : row.updatedAt,
    id: row.id,
  });
}

function pagesByTime(order: string): PageIds<{ at: Date; id: string }> {
  return PageIds.byTime(`conversations ${order}`);
}

function pagesByTitle(order: string): PageIds<{ at: string; id: string }> {
  const at = z.string().refine((text) => text === storableText(text));
  return new PageIds(`conversations ${order}`, z.object({ at, id: uuidText }));
}
