import type { OrgConversationResponse } from './org-conversations.dto';

/** The columns of an export: the fields of a conversation, in the order of the interface. */
const COLUMNS = [
  'id',
  'user_id',
  'title',
  'llm_model',
  'agent_kind',
  'user_email',
  'created_at',
  'updated_at',
  'sandbox_id',
  'sandbox_status',
  'runtime_url',
  'execution_status',
  'selected_repository',
  'selected_branch',
  'git_provider',
  'trigger',
  'pr_number',
  'pr_merged',
  'tags',
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
] as const satisfies readonly (keyof OrgConversationResponse)[];

/** Beginnings that make a spreadsheet compute a field instead of showing it, full-width forms included. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const TO_QUOTE = /[",\r\n]/;
/** Whatever one of both finds: most texts are plain, and looked at once. */
const NOT_PLAIN = /^[\s=+\-@＝＋－＠]|[",\r\n]/;

/** The first line of an export. */
export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/**
 * A conversation as one line of an export (RFC 4180), in the order of the columns: lists and objects as JSON,
 * nothing where there is nothing. Ids, times, numbers and words of the service's own need no quotes.
 */
export function csvLine(c: OrgConversationResponse): string {
  return (
    `${c.id},${c.user_id},${csvText(c.title)},${csvText(c.llm_model)},${csvText(c.agent_kind)},` +
    `${csvText(c.user_email)},${c.created_at},${c.updated_at},${c.sandbox_id ?? ''},${c.sandbox_status ?? ''},` +
    `${csvText(c.runtime_url)},${csvText(c.execution_status)},${csvText(c.selected_repository)},` +
    `${csvText(c.selected_branch)},${csvText(c.git_provider)},${csvText(c.trigger)},` +
    `${csvText(JSON.stringify(c.pr_number))},${c.pr_merged ?? ''},${csvText(JSON.stringify(c.tags))},` +
    `${c.accumulated_cost},${c.prompt_tokens},${c.completion_tokens},${c.total_tokens},` +
    `${c.cache_read_tokens},${c.cache_write_tokens}\r\n`
  );
}

/** A text as a field; what a spreadsheet would compute gets an apostrophe in front. */
export function csvText(text: string | null): string {
  if (text === null) return '';
  if (!NOT_PLAIN.test(text)) return text;
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return TO_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
