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

/** The first line of an export. */
export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** A conversation as one line of an export (RFC 4180): lists and objects as JSON, nothing where there is nothing. */
export function csvLine(conversation: OrgConversationResponse): string {
  let line = '';
  for (const column of COLUMNS) line += `${line === '' ? '' : ','}${csvField(conversation[column])}`;
  return `${line}\r\n`;
}

/** One field; texts that a spreadsheet would compute get an apostrophe in front. */
export function csvField(value: OrgConversationResponse[(typeof COLUMNS)[number]]): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return TO_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
