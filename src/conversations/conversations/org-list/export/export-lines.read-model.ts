import { MAX_TITLE } from '../../record/text-limits';
import type { ListCondition } from '../list/list-condition.read-model';
import {
  address,
  gap,
  IS_WRITTEN,
  number,
  PR_NUMBER,
  TAGS,
  time,
  VALUE,
} from '../list/org-conversation-json.read-model';
import { FROM, SHOWN_SANDBOX_STATUS } from '../list/org-conversation.read-model';
import type { OrgConversationResponse } from '../list/org-conversations.dto';
import { afterPlace, type BatchStatement, type Place } from './export-batch.read-model';

/** A text that is surely a field as it stands; the service writes all others. */
function text(sql: string): string {
  return `CASE WHEN ${sql} ~ '^[A-Za-z0-9][^",[:cntrl:]]*$' THEN ${sql} ELSE ${gap(VALUE, `to_json(${sql})`)} END`;
}

/** The fields of a conversation `c`, its creator `u` and its sandbox `s`; null is an empty one. */
const FIELDS: Readonly<Record<keyof OrgConversationResponse, string>> = {
  id: 'c.id',
  user_id: 'c.created_by_user_id',
  title: text(`left(c.title, ${MAX_TITLE})`),
  llm_model: text('c.llm_model'),
  agent_kind: text('c.agent_kind'),
  user_email: text('u.email'),
  created_at: time('c.created_at'),
  updated_at: time('c.updated_at'),
  sandbox_id: 'c.sandbox_id',
  sandbox_status: SHOWN_SANDBOX_STATUS,
  runtime_url: address('NULL'),
  execution_status: 'c.execution_status',
  selected_repository: text('c.selected_repository'),
  selected_branch: text('c.selected_branch'),
  git_provider: 'c.git_provider',
  trigger: 'c.trigger',
  pr_number: PR_NUMBER,
  pr_merged: 'c.pr_merged::text',
  tags: TAGS,
  accumulated_cost: number('c.accumulated_cost', 'c.accumulated_cost::text'),
  prompt_tokens: 'c.prompt_tokens',
  completion_tokens: 'c.completion_tokens',
  total_tokens: 'c.prompt_tokens + c.completion_tokens',
  cache_read_tokens: 'c.cache_read_tokens',
  cache_write_tokens: 'c.cache_write_tokens',
};

/** Lines of an export, with gaps, and the place of the last one. */
export interface LinesRow extends Place {
  /** Null where there are none. */
  readonly lines: string | null;
  /** How many lines the service has to write. */
  readonly unwritten: number;
}

/**
 * The lines of an export as the database writes them, as one text.
 * @param names of the fields, in the order of a line
 */
export function exportLines(names: readonly string[]) {
  const fields = new Map<string, string>(Object.entries(FIELDS));
  const line = `CASE WHEN ${IS_WRITTEN} THEN
    concat(${names.map((name) => fields.get(name)).join(`, ',',\n    `)}, E'\\r\\n') END`;
  /**
   * Those that come after a place, oldest first. By hand because rows that are read into objects are most of what an export
   * costs the service (docs/decisions/0050-pages-written-by-the-database.md).
   */
  return ({ branches, parameters }: ListCondition, after: Place | null, limit: number): BatchStatement => {
    const rest = afterPlace(parameters, after);
    return {
      sql: `SELECT string_agg(line, '' ORDER BY created_at, id) AS lines,
                   count(*) FILTER (WHERE line IS NULL) AS unwritten, max(created_at) AS "createdAt",
                   (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS id
              FROM (SELECT c.created_at, c.id, ${line} AS line FROM ${FROM}
                     WHERE (${branches.join(' OR ')})${rest.sql}
                     ORDER BY c.created_at, c.id LIMIT ${limit}) next`,
      parameters: rest.parameters,
    };
  };
}
