import type { SandboxStatus } from '../../../../sandboxes/sandboxes';
import { countedTotal } from '../list/list-totals.query';
import type { ConversationsByWindow, ConversationUsage } from './org-stats.dto';

const DAY_MS = 86_400_000;
const MODELS_SHOWN = 50;

/** How one status is counted, top conversations and sub-conversations apart. */
export interface StatusRow {
  readonly execution_status: string;
  readonly is_sub: boolean;
  readonly conversations: number;
}

/** What is added up of conversations. */
export type UsageAmounts = Omit<ConversationUsage, 'total_tokens'>;

export interface UsageRow extends UsageAmounts {
  readonly llm_model: string;
  /** Whether the row is all models together. */
  readonly is_total: boolean;
}

/** All statistics of an organization, as one row. */
export interface StatsRow {
  readonly statuses: readonly StatusRow[];
  readonly usage: readonly UsageRow[];
  readonly removed: UsageAmounts;
  readonly sandboxes: Readonly<Partial<Record<SandboxStatus, number>>>;
  readonly created: ConversationsByWindow;
  readonly completed: Readonly<Record<'24h' | '7d' | '30d', number>>;
}

const STATUSES = `
  SELECT execution_status, is_sub, sum(conversations) AS conversations FROM (
    SELECT execution_status, is_sub, conversations FROM conversation_counts
     WHERE org_id = $1 AND day = '-infinity'
    UNION ALL
    SELECT execution_status, is_sub, conversations FROM conversation_count_deltas WHERE org_id = $1
  ) counted GROUP BY 1, 2`;

/** The columns of counters with what is added up. */
export const CONVERSATION_AMOUNTS = [
  'conversations',
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
] as const satisfies readonly (keyof UsageAmounts)[];

const USAGE = `
  SELECT coalesce(llm_model, '') AS llm_model, grouping(llm_model) = 1 AS is_total,
         ${CONVERSATION_AMOUNTS.map((amount) => `coalesce(sum(${amount}), 0) AS ${amount}`).join(', ')}
    FROM (SELECT llm_model, ${CONVERSATION_AMOUNTS.join(', ')} FROM conversation_usage WHERE org_id = $1
          UNION ALL
          SELECT llm_model, ${CONVERSATION_AMOUNTS.join(', ')} FROM conversation_count_deltas WHERE org_id = $1) used
   GROUP BY ROLLUP (llm_model)
   ORDER BY is_total DESC, conversations DESC, llm_model LIMIT ${MODELS_SHOWN + 1}`;

/** What conversations used that retention removed from an organization ($1). */
const REMOVED = `
  SELECT ${CONVERSATION_AMOUNTS.map((amount) => `coalesce(sum(${amount}), 0) AS ${amount}`).join(', ')}
    FROM conversation_usage_removed WHERE org_id = $1`;

/** Sandboxes of an organization ($1) by the status that is shown. */
export const SANDBOX_COUNTS = `
  SELECT status, sum(sandboxes) AS sandboxes FROM sandbox_counts WHERE org_id = $1 GROUP BY 1`;

/** The moments at which windows begin, as parameters of {@link STATS}. */
const SINCE = {
  '24h': '$2::timestamptz',
  '7d': '$3::timestamptz',
  '30d': '$4::timestamptz',
  '90d': '$5::timestamptz',
};
type Window = keyof typeof SINCE;

/** Counts conversations that have ended since a moment: whole hours by counters, and what was updated in the hour of that moment. */
function completedSince(window: Exclude<Window, '90d'>): string {
  const since = SINCE[window];
  const firstHour = `conversation_hour(${since} + interval '3599.999 seconds')`;
  const counted = `SELECT conversations FROM conversation_completed`;
  return `(
    SELECT coalesce(sum(conversations), 0)::double precision FROM (
      ${counted}_counts WHERE org_id = $1 AND hour >= ${firstHour}
      UNION ALL ${counted}_deltas WHERE org_id = $1 AND hour >= ${firstHour}
      UNION ALL SELECT count(*) FROM conversations
       WHERE org_id = $1 AND deleted_at IS NULL AND conversation_completed(execution_status, deleted_at)
         AND updated_at >= ${since} AND updated_at < ${firstHour}) completed)`;
}

function createdSince(window: Exclude<Window, '24h'>): string {
  return countedTotal('$1', {
    execution_status: null,
    time_window: SINCE[window],
    include_sub_conversations: true,
  });
}

/**
 * The statistics of an organization ($1), from the counters that the database keeps, with the moments at which windows begin. By hand
 * because one query reads all of them at one moment (docs/decisions/0010-counters-kept-by-the-database.md).
 */
export const STATS = `
  SELECT (SELECT coalesce(jsonb_agg(found), '[]') FROM (${STATUSES}) found) AS statuses,
         (SELECT coalesce(jsonb_agg(found), '[]') FROM (${USAGE}) found) AS usage,
         (SELECT to_jsonb(found) FROM (${REMOVED}) found) AS removed,
         (SELECT coalesce(jsonb_object_agg(status, sandboxes), '{}') FROM (${SANDBOX_COUNTS}) found) AS sandboxes,
         jsonb_build_object(
           '7d', ${createdSince('7d')}, '30d', ${createdSince('30d')}, '90d', ${createdSince('90d')}) AS created,
         jsonb_build_object(
           '24h', ${completedSince('24h')}, '7d', ${completedSince('7d')}, '30d', ${completedSince('30d')}) AS completed`;

/**
 * The parameters of {@link STATS}.
 * @param now the end of the windows
 */
export function statsParameters(orgId: string, now: Date): unknown[] {
  const days = [1, 7, 30, 90] as const;
  return [orgId, ...days.map((each) => new Date(now.getTime() - each * DAY_MS))];
}
