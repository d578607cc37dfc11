import { Injectable } from '@nestjs/common';
import { Clock } from '../../common';
import { EXECUTION_STATUSES } from '../vocabulary';
import { ListTotals } from './list-totals';
import { OrgListDatabase } from './org-list-database';
import type { ConversationsByStatus, ConversationUsage, OrgConversationStats } from './org-stats.dto';

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

/** The figures of an organization's conversations, from the counters that the database keeps. */
@Injectable()
export class OrgStatsService {
  constructor(
    private readonly database: OrgListDatabase,
    private readonly totals: ListTotals,
    private readonly clock: Clock,
  ) {}

  /** @throws ConversationsUnavailableError */
  async stats(orgId: string): Promise<OrgConversationStats> {
    const now = this.clock.now();
    const within = (time_window: '7d' | '30d' | '90d'): Promise<number> =>
      this.totals.total(orgId, { time_window, execution_status: [], include_sub_conversations: true }, now);
    const [statuses, usage, active, week, month, quarter] = await Promise.all([
      this.byStatus(orgId),
      this.usage(orgId),
      this.activeSandboxes(orgId),
      within('7d'),
      within('30d'),
      within('90d'),
    ]);
    const total = usage.find((row) => row.is_total);
    return {
      total_conversations: sumOf(statuses),
      sub_conversations: sumOf(statuses.filter((row) => row.is_sub)),
      by_execution_status: byStatus(statuses),
      created_within: { '7d': week, '30d': month, '90d': quarter },
      active_sandboxes: active,
      usage: toUsage(total),
      by_model: usage
        .filter((row) => !row.is_total && row.conversations > 0)
        .map((row) =>
          Object.assign({ llm_model: row.llm_model === '' ? null : row.llm_model }, toUsage(row)),
        ),
    };
  }

  private byStatus(orgId: string): Promise<StatusRow[]> {
    return this.database.query<StatusRow>(
      `SELECT execution_status, is_sub, sum(conversations)::double precision AS conversations FROM (
         SELECT execution_status, is_sub, conversations FROM conversation_counts
          WHERE org_id = $1 AND day = '-infinity'
         UNION ALL
         SELECT execution_status, is_sub, conversations FROM conversation_count_deltas WHERE org_id = $1
       ) counted GROUP BY 1, 2`,
      [orgId],
    );
  }

  private usage(orgId: string): Promise<UsageRow[]> {
    const amounts = [
      'conversations',
      'accumulated_cost',
      'prompt_tokens',
      'completion_tokens',
      'cache_read_tokens',
      'cache_write_tokens',
    ];
    return this.database.query<UsageRow>(
      `SELECT coalesce(llm_model, '') AS llm_model, grouping(llm_model) = 1 AS is_total,
              ${amounts.map((amount) => `coalesce(sum(${amount}), 0)::double precision AS ${amount}`).join(', ')}
         FROM (SELECT llm_model, ${amounts.join(', ')} FROM conversation_usage WHERE org_id = $1
               UNION ALL
               SELECT llm_model, ${amounts.join(', ')} FROM conversation_count_deltas WHERE org_id = $1) used
        GROUP BY ROLLUP (llm_model)
        ORDER BY is_total DESC, conversations DESC, llm_model LIMIT ${MODELS_SHOWN + 1}`,
      [orgId],
    );
  }

  private async activeSandboxes(orgId: string): Promise<OrgConversationStats['active_sandboxes']> {
    const [row] = await this.database.query<{ starting: number; running: number }>(
      `SELECT count(*) FILTER (WHERE status = 'STARTING')::integer AS starting,
              count(*) FILTER (WHERE status = 'RUNNING')::integer AS running
         FROM sandboxes
        WHERE org_id = $1 AND status IN ('STARTING', 'RUNNING')`,
      [orgId],
    );
    return { STARTING: row?.starting ?? 0, RUNNING: row?.running ?? 0 };
  }
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
