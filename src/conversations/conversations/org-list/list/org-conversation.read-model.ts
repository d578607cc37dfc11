import type { SandboxStatus } from '../../../../sandboxes/sandboxes';
import { MAX_TITLE } from '../../record/text-limits';
import { conversationColumns, type ConversationRow } from '../../record/conversation-row';
import { listedColumns } from '../../listed/listed-conversation.query';

/** A column as a query of the list reads it: times are texts, as the response has them. */
type AsRead<Value> = Value extends Date ? string : Value;

/** Integers of 64 bits, which the list reads as numbers. */
interface Counts {
  readonly prNumber: number[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** The columns of the creator and the sandbox in the list. */
interface Related {
  readonly userEmail: string | null;
  readonly sandboxStatus: SandboxStatus | null;
  readonly sandboxStopping: string | null;
  readonly sandboxDriver: string | null;
  readonly sandboxBaseUrl: string | null;
  readonly sandboxPort: number | null;
}

/** The columns of a conversation that the list leaves out. */
const UNREAD = [
  'orgId',
  'parentConversationId',
  'reasoningTokens',
  'contextWindow',
  'perTurnTokens',
  'maxBudgetPerTask',
  'launchedProfileId',
  'launchedProfileRevision',
] as const satisfies readonly (keyof ConversationRow)[];

type Unread = (typeof UNREAD)[number];

/** A conversation with its creator and its sandbox, read by one query of the list. */
export type OrgConversationRow = {
  readonly [Name in Exclude<keyof ConversationRow, keyof Counts | Unread>]: AsRead<ConversationRow[Name]>;
} & Counts &
  Related;

/** The columns of an {@link OrgConversationRow}, of a conversation `c` with its creator `u` and its sandbox `s`. */
export const COLUMNS = columns(conversationColumns(...UNREAD, 'title'));

/** As {@link COLUMNS}, with large tags and pull requests left out. */
export const LISTED_COLUMNS = columns(listedColumns(...UNREAD, 'title'));

function columns(own: string): string {
  return `${own}, left(c.title, ${MAX_TITLE}) AS title, u.email AS "userEmail", s.status AS "sandboxStatus",
    s.stopping AS "sandboxStopping", s.driver AS "sandboxDriver", s.base_url AS "sandboxBaseUrl",
    s.port AS "sandboxPort"`;
}

/**
 * A conversation `c` with its joins. By hand: entities made of a page's rows halve the pages that a
 * process answers in a second (docs/decisions/0009-sql-by-hand.md).
 */
export const FROM = `conversations c
  LEFT JOIN users u ON u.id = c.created_by_user_id
  LEFT JOIN sandboxes s ON s.id = c.sandbox_id`;

/**
 * `shownSandboxStatus` as SQL: of a conversation `c` and its sandbox `s`, all null where it has none. By hand because
 * filters run in the query.
 */
export const SHOWN_SANDBOX_STATUS =
  'shown_sandbox_status(c.start_state, c.sandbox_id, s.id, s.status, s.stopping)';
