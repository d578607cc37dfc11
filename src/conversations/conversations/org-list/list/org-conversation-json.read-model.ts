import { z } from 'zod';
import type { SandboxAddress } from '../../../../sandboxes/sandboxes';
import { MAX_TITLE } from '../../record/text-limits';
import { IS_SMALL } from '../../listed/listed-conversation.query';
import { runtimeUrl } from './org-conversation.mapper';
import { SHOWN_SANDBOX_STATUS } from './org-conversation.read-model';
import type { OrgConversationResponse } from './org-conversations.dto';

/*
 * `toOrgConversation` as the database writes it, to the byte. By hand because rows that are read into objects and written
 * again are most of what a page costs the service (docs/decisions/0050-pages-written-by-the-database.md).
 */

/** Stands before and after each gap; JSON has no such character, since control characters are escaped in its texts. */
const GAP = '\u0001';
/** What a gap is, as its first character. */
export const VALUE = 'v';
const ADDRESS = 'a';

/** A gap for a value whose JSON the database writes in another way than the service, or an address, which it does not know. */
export function gap(kind: typeof VALUE | typeof ADDRESS, json: string): string {
  return `chr(1) || '${kind}' || ${json} || chr(1)`;
}

function text(sql: string): string {
  return `coalesce(to_json(${sql}), 'null')`;
}

/** A text without characters that are escaped. */
function plain(sql: string): string {
  return `'"', ${sql}, '"'`;
}

function plainOrNull(sql: string): string {
  return `coalesce('"' || ${sql} || '"', 'null')`;
}

/** In UTC, by an interval: names of time zones are looked up each time. */
export function time(sql: string): string {
  return `to_char(${sql} AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * Between these bounds the database writes a number as the service does: neither has an exponent.
 * @param other what stands for one that is not finite
 */
export function number(sql: string, other: string): string {
  return `CASE WHEN ${sql} BETWEEN 0.0001 AND 1e14 THEN ${sql}::text
    WHEN ${sql} = 0 THEN '0'
    WHEN abs(${sql}) < 'Infinity' THEN ${gap(VALUE, `${sql}::text`)}
    ELSE ${other} END`;
}

/** @param none what stands for the address where there is none */
export function address(none: string): string {
  return `CASE WHEN s.status = 'RUNNING' AND s.stopping IS NULL AND c.start_state = 'ready'
    THEN ${gap(ADDRESS, 'json_build_array(c.id, s.id, s.driver, s.base_url, s.port)')} ELSE ${none} END`;
}

export const PR_NUMBER = `CASE WHEN cardinality(c.pr_number) = 0 THEN '[]'
    ELSE ${gap(VALUE, `'[' || array_to_string(c.pr_number, ',', 'null') || ']'`)} END`;

export const TAGS = `CASE WHEN c.tags = '{}' THEN '{}' ELSE ${gap(VALUE, 'c.tags::text')} END`;

/** The fields of a record, in the order of `toOrgConversation`, of a conversation `c`, its creator `u` and its sandbox `s`. */
const FIELDS: Readonly<Record<keyof OrgConversationResponse, string>> = {
  id: plain('c.id'),
  user_id: plain('c.created_by_user_id'),
  title: text(`left(c.title, ${MAX_TITLE})`),
  llm_model: text('c.llm_model'),
  agent_kind: text('c.agent_kind'),
  user_email: text('u.email'),
  created_at: plain(time('c.created_at')),
  updated_at: plain(time('c.updated_at')),
  sandbox_id: plainOrNull('c.sandbox_id'),
  sandbox_status: plain(SHOWN_SANDBOX_STATUS),
  runtime_url: address(`'null'`),
  execution_status: plainOrNull('c.execution_status'),
  selected_repository: text('c.selected_repository'),
  selected_branch: text('c.selected_branch'),
  git_provider: plainOrNull('c.git_provider'),
  trigger: plainOrNull('c.trigger'),
  pr_number: PR_NUMBER,
  pr_merged: `coalesce(c.pr_merged::text, 'null')`,
  tags: TAGS,
  accumulated_cost: number('c.accumulated_cost', `'null'`),
  prompt_tokens: 'c.prompt_tokens',
  completion_tokens: 'c.completion_tokens',
  total_tokens: 'c.prompt_tokens + c.completion_tokens',
  cache_read_tokens: 'c.cache_read_tokens',
  cache_write_tokens: 'c.cache_write_tokens',
};

const TOKENS = 'c.prompt_tokens, c.completion_tokens, c.cache_read_tokens, c.cache_write_tokens';

/** Whether the service counts so many tokens exactly, and their sum. */
const COUNTS_EXACTLY = `least(${TOKENS}) >= 0 AND greatest(${TOKENS}) <= ${2 ** 52}`;

/** Whether the database writes a conversation `c`: tags and pull requests are small, and numbers of tokens are those of the service. */
export const IS_WRITTEN = `${IS_SMALL} AND ${COUNTS_EXACTLY}`;

/** The JSON text of a record with its gaps; null where the service writes it. */
export const RECORD_TEXT = `CASE WHEN ${IS_WRITTEN} THEN concat('{', ${Object.entries(FIELDS)
  .map(([name, sql], index) => `'${index === 0 ? '' : ','}"${name}":', ${sql}`)
  .join(',\n    ')}, '}') END`;

const addressed = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string().nullable(),
  z.number().int().nullable(),
]);

/**
 * Fills the gaps of records.
 * @param records as {@link RECORD_TEXT} has them, or the lines of an export
 * @param conversationBaseOf as of the mapper
 * @param write writes a value
 */
export function withoutGaps(
  records: string,
  conversationBaseOf: (sandbox: SandboxAddress) => string | null,
  write: (value: unknown) => string = JSON.stringify,
): string {
  if (!records.includes(GAP)) return records;
  const fill = (gapped: string): string => {
    const value: unknown = JSON.parse(gapped.slice(1));
    if (gapped.startsWith(VALUE)) return write(value);
    const [conversationId, id, driver, baseUrl, port] = addressed.parse(value);
    return write(runtimeUrl(conversationId, { id, driver, baseUrl, port }, conversationBaseOf));
  };
  return records
    .split(GAP)
    .map((part, index) => (index % 2 === 0 ? part : fill(part)))
    .join('');
}
