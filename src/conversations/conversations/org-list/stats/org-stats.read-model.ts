import type { SandboxStatus } from '../../../../sandboxes/sandboxes';
import type { ExecutionStatus } from '../../record/conversation.enums';
import { windowStart } from '../list/list-condition.read-model';
import { countedTotal } from '../list/list-totals.query';
import type { ConversationsByWindow, ConversationUsage } from './org-stats.dto';

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

const DAY_MS = 86_400_000;

/** Conversations that ended have one of these statuses since their last update. */
const COMPLETED = ['finished', 'error', 'stuck'] as const satisfies readonly ExecutionStatus[];

/** Counts the last 30 days by the index of updates, since there are no counters of updates. */
function completedSince(now: Date): string {
  const since = (days: number): string =>
    `updated_at >= '${new Date(now.getTime() - days * DAY_MS).toISOString()}'`;
  return `
    SELECT jsonb_build_object(
             '24h', count(*) FILTER (WHERE ${since(1)}),
             '7d', count(*) FILTER (WHERE ${since(7)}), '30d', count(*))
      FROM conversations
     WHERE org_id = $1 AND deleted_at IS NULL AND ${since(30)}
       AND execution_status IN (${COMPLETED.map((status) => `'${status}'`).join(', ')})`;
}

/**
 * The statistics of an organization ($1), from the counters that the database keeps where it keeps them. By hand because one query
 * reads all of them at one moment (docs/decisions/0010-counters-kept-by-the-database.md).
 * @param now the end of the time windows
 */
export function statsQuery(now: Date): string {
  const within = (window: '7d' | '30d' | '90d'): string =>
    countedTotal('$1', {
      execution_status: null,
      time_window: `'${windowStart(window, now)?.toISOString()}'::timestamptz`,
      include_sub_conversations: true,
    });
  return `
    SELECT (SELECT coalesce(jsonb_agg(found), '[]') FROM (${STATUSES}) found) AS statuses,
           (SELECT coalesce(jsonb_agg(found), '[]') FROM (${USAGE}) found) AS usage,
           (SELECT to_jsonb(found) FROM (${REMOVED}) found) AS removed,
           (SELECT coalesce(jsonb_object_agg(status, sandboxes), '{}') FROM (${SANDBOX_COUNTS}) found) AS sandboxes,
           jsonb_build_object('7d', ${within('7d')}, '30d', ${within('30d')}, '90d', ${within('90d')}) AS created,
           (${completedSince(now)}) AS completed`;
}
