import type { OrgConversationResponse } from '../list/org-conversations.dto';

/** Beginnings that make a spreadsheet compute a field instead of showing it, full-width forms included. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const TO_QUOTE = /[",\r\n]/;
/** Most texts are plain, and looked at once. */
const NOT_PLAIN = new RegExp(`${FORMULA.source}|${TO_QUOTE.source}`);

type Column = readonly [name: keyof OrgConversationResponse, field: (c: OrgConversationResponse) => string];

/**
 * The columns of an export: the fields of a conversation, in the order of the interface. Lists and objects are
 * JSON, nothing stands where there is nothing; ids, times, numbers and words of the service's own need no quotes.
 */
const COLUMNS: readonly Column[] = [
  ['id', (c) => c.id],
  ['user_id', (c) => c.user_id],
  ['title', (c) => csvText(c.title)],
  ['llm_model', (c) => csvText(c.llm_model)],
  ['agent_kind', (c) => csvText(c.agent_kind)],
  ['user_email', (c) => csvText(c.user_email)],
  ['created_at', (c) => c.created_at],
  ['updated_at', (c) => c.updated_at],
  ['sandbox_id', (c) => c.sandbox_id ?? ''],
  ['sandbox_status', (c) => c.sandbox_status ?? ''],
  ['runtime_url', (c) => csvText(c.runtime_url)],
  ['execution_status', (c) => csvText(c.execution_status)],
  ['selected_repository', (c) => csvText(c.selected_repository)],
  ['selected_branch', (c) => csvText(c.selected_branch)],
  ['git_provider', (c) => csvText(c.git_provider)],
  ['trigger', (c) => csvText(c.trigger)],
  ['pr_number', (c) => csvText(JSON.stringify(c.pr_number))],
  ['pr_merged', (c) => String(c.pr_merged ?? '')],
  ['tags', (c) => csvText(JSON.stringify(c.tags))],
  ['accumulated_cost', (c) => String(c.accumulated_cost)],
  ['prompt_tokens', (c) => String(c.prompt_tokens)],
  ['completion_tokens', (c) => String(c.completion_tokens)],
  ['total_tokens', (c) => String(c.total_tokens)],
  ['cache_read_tokens', (c) => String(c.cache_read_tokens)],
  ['cache_write_tokens', (c) => String(c.cache_write_tokens)],
];

/** The first line of an export. */
export const CSV_HEADER = `${COLUMNS.map(([name]) => name).join(',')}\r\n`;

/** A conversation as one line of an export (RFC 4180). */
export function csvLine(c: OrgConversationResponse): string {
  return `${COLUMNS.map(([, field]) => field(c)).join(',')}\r\n`;
}

/** A text as a field; what a spreadsheet would compute gets an apostrophe in front. */
export function csvText(text: string | null): string {
  if (text === null) return '';
  if (!NOT_PLAIN.test(text)) return text;
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return TO_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
