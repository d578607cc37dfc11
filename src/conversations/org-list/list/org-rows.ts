import { types } from 'pg';
import type { SandboxStatus } from '../../../sandboxes';
import type { ConversationRow } from '../../record/conversation-rows';

/** A conversation with what the list shows of its creator and its sandbox, read by one query of the list. */
export interface OrgConversationRow extends Omit<
  ConversationRow,
  | 'org_id'
  | 'parent_conversation_id'
  | 'pr_number'
  | 'created_at'
  | 'updated_at'
  | `${'prompt' | 'completion' | 'cache_read' | 'cache_write'}_tokens`
> {
  readonly pr_number: number[];
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  /** Times as the answer has them. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly user_email: string | null;
  readonly sandbox_status: SandboxStatus | null;
  readonly sandbox_stopping: string | null;
  readonly sandbox_driver: string | null;
  readonly sandbox_base_url: string | null;
  readonly sandbox_port: number | null;
}

/** The columns of an `OrgConversationRow`, of a conversation `c` with its creator `u` and its sandbox `s`. */
export const COLUMNS = `
  c.id, c.created_by_user_id, c.sandbox_id, c.start_state, c.title, c.llm_model, c.agent_kind,
  c.execution_status, c.selected_repository, c.selected_branch, c.git_provider, c.trigger, c.pr_number,
  c.pr_merged, c.tags, c.accumulated_cost, c.prompt_tokens, c.completion_tokens, c.cache_read_tokens,
  c.cache_write_tokens, c.created_at, c.updated_at, u.email AS user_email, s.status AS sandbox_status,
  s.stopping AS sandbox_stopping, s.driver AS sandbox_driver, s.base_url AS sandbox_base_url,
  s.port AS sandbox_port`;

/** A conversation `c` with what is read beside it. */
export const FROM = `conversations c
  LEFT JOIN users u ON u.id = c.created_by_user_id
  LEFT JOIN sandboxes s ON s.id = c.sandbox_id`;

/** Numbers of types in every PostgreSQL. */
const INT8 = 20;
const INT8_LIST = 1016;
const TIMESTAMPTZ = 1184;

type ReadText = (text: string) => unknown;

const driverParser: (type: number) => ReadText = types.getTypeParser;

/**
 * Reads what a query of the list answers: times straight into the text that is answered and counts as numbers,
 * which the driver makes dates and texts of.
 */
export const ROW_TYPES = {
  getTypeParser(type: number): ReadText {
    if (type === TIMESTAMPTZ) return isoTime;
    if (type === INT8) return Number;
    if (type === INT8_LIST) return numbers;
    return driverParser(type);
  },
};

/** `2026-11-21 08:06:53.9+00`, as the database tells times in UTC. */
const DATABASE_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?\+00$/;

/**
 * A time of the database, with milliseconds as `Date` has them. One that is not in UTC goes through a `Date`: a
 * pooler or the address of the database can keep the connection's own settings from the server.
 */
export function isoTime(text: string): string {
  const [, day, time, fraction = ''] = DATABASE_TIME.exec(text) ?? [];
  if (day !== undefined && time !== undefined) return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
  const parsed = driverParser(TIMESTAMPTZ)(text);
  if (!(parsed instanceof Date)) throw new Error('The database told a time in another form.');
  return parsed.toISOString();
}

function numbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}
