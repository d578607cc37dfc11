import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common';
import type { SandboxStatus } from '../../../sandboxes';
import { EXECUTION_STATUSES } from '../../record/conversation.enums';
import { windowStart } from '../list/list-condition';
import { countedTotal } from '../list/list-totals';
import { OrgListDatabase } from '../list/org-list-database';
import type {
  ConversationsByStatus,
  ConversationUsage,
  OrgConversationStats,
  SandboxesByStatus,
} from './org-stats.dto';

const MODELS_SHOWN = 50;

/** How one status is counted, top conversations and sub-conversations apart. */
interface StatusRow {
  readonly execution_status: string;
  readonly is_sub: boolean;
  readonly conversations: number;
}

interface UsageRow extends Omit<ConversationUsage, 'total_tokens'> {
  readonly llm_model: string;
  /** Whether the row is all models together. */
  readonly is_total: boolean;
}

interface Figures {
  readonly statuses: readonly StatusRow[];
  readonly usage: readonly UsageRow[];
  readonly sandboxes: Readonly<Partial<Record<SandboxStatus, number>>>;
  readonly '7d': number;
  readonly '30d': number;
  readonly '90d': number;
}

const STATUSES = `
  SELECT execution_status, is_sub, sum(conversations) AS conversations FROM (
    SELECT execution_status, is_sub, conversations FROM conversation_counts
     WHERE org_id = $1 AND day = '-infinity'
    UNION ALL
    SELECT execution_status, is_sub, conversations FROM conversation_count_deltas WHERE org_id = $1
  ) counted GROUP BY 1, 2`;

const AMOUNTS = [
  'conversations',
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
];

const USAGE = `
  SELECT coalesce(llm_model, '') AS llm_model, grouping(llm_model) = 1 AS is_total,
         ${AMOUNTS.map((amount) => `coalesce(sum(${amount}), 0) AS ${amount}`).join(', ')}
    FROM (SELECT llm_model, ${AMOUNTS.join(', ')} FROM conversation_usage WHERE org_id = $1
          UNION ALL
          SELECT llm_model, ${AMOUNTS.join(', ')} FROM conversation_count_deltas WHERE org_id = $1) used
   GROUP BY ROLLUP (llm_model)
   ORDER BY is_total DESC, conversations DESC, llm_model LIMIT ${MODELS_SHOWN + 1}`;

const SANDBOXES = `
  SELECT status, sum(sandboxes) AS sandboxes FROM sandbox_counts WHERE org_id = $1 GROUP BY 1`;

/** The figures of an organization's conversations, from the counters that the database keeps, by one query. */
@Injectable()
export class OrgStatsService {
  constructor(
    private readonly database: OrgListDatabase,
    private readonly clock: Clock,
  ) {}

  /** @throws ConversationsUnavailableError */
  async stats(orgId: string): Promise<OrgConversationStats> {
    const now = this.clock.now();
    const within = (window: '7d' | '30d' | '90d'): string =>
      countedTotal({ statuses: null, start: windowStart(window, now), includesSubs: true });
    const figures = await this.database.row<Figures>(
      `SELECT (SELECT coalesce(jsonb_agg(found), '[]') FROM (${STATUSES}) found) AS statuses,
              (SELECT coalesce(jsonb_agg(found), '[]') FROM (${USAGE}) found) AS usage,
              (SELECT coalesce(jsonb_object_agg(status, sandboxes), '{}') FROM (${SANDBOXES}) found) AS sandboxes,
              ${within('7d')} AS "7d", ${within('30d')} AS "30d", ${within('90d')} AS "90d"`,
      [orgId],
    );
    return toStats(figures);
  }
}

function toStats({ statuses, usage, sandboxes, ...within }: Figures): OrgConversationStats {
  return {
    total_conversations: sumOf(statuses),
    sub_conversations: sumOf(statuses.filter((row) => row.is_sub)),
    by_execution_status: byStatus(statuses),
    created_within: within,
    sandboxes: byShownStatus(sandboxes),
    usage: toUsage(usage.find((row) => row.is_total)),
    by_model: usage
      .filter((row) => !row.is_total && row.conversations > 0)
      .map((row) => Object.assign({ llm_model: row.llm_model === '' ? null : row.llm_model }, toUsage(row))),
  };
}

function sumOf(rows: readonly StatusRow[]): number {
  return rows.reduce((sum, row) => sum + row.conversations, 0);
}

function byStatus(rows: readonly StatusRow[]): ConversationsByStatus {
  const of = (...statuses: readonly string[]): number =>
    sumOf(rows.filter((row) => statuses.includes(row.execution_status)));
  return {
    idle: of('idle'),
    running: of('running'),
    paused: of('paused'),
    finished: of('finished'),
    error: of('error'),
    stuck: of('stuck'),
    none: sumOf(rows) - of(...EXECUTION_STATUSES),
  };
}

function byShownStatus(counted: Figures['sandboxes']): SandboxesByStatus {
  const { STARTING = 0, RUNNING = 0, PAUSED = 0, ERROR = 0, MISSING = 0 } = counted;
  return { STARTING, RUNNING, PAUSED, ERROR, MISSING };
}

function toUsage(row: Omit<UsageRow, 'llm_model' | 'is_total'> | undefined): ConversationUsage {
  const promptTokens = row?.prompt_tokens ?? 0;
  const completionTokens = row?.completion_tokens ?? 0;
  return {
    conversations: row?.conversations ?? 0,
    accumulated_cost: row?.accumulated_cost ?? 0,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    cache_read_tokens: row?.cache_read_tokens ?? 0,
    cache_write_tokens: row?.cache_write_tokens ?? 0,
  };
}
