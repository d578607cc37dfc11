import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/common';
import { EXECUTION_STATUSES } from '../../record/conversation.enums';
import { OrgListDatabase } from '../database/org-list-database';
import type {
  ConversationsByStatus,
  ConversationUsage,
  OrgConversationStats,
  SandboxesByStatus,
} from './org-stats.dto';
import {
  STATS,
  statsParameters,
  type StatsRow,
  type StatusRow,
  type UsageAmounts,
} from './org-stats.read-model';

/** The statistics of an organization's conversations, from the counters that the database keeps, by one query. */
@Injectable()
export class OrgStatsService {
  constructor(
    private readonly database: OrgListDatabase,
    private readonly clock: Clock,
  ) {}

  /** @throws ConversationsUnavailableError */
  async stats(orgId: string): Promise<OrgConversationStats> {
    const parameters = statsParameters(orgId, this.clock.now());
    return toStats(await this.database.row<StatsRow>(STATS, parameters, { samePlan: true }));
  }
}

function toStats({
  statuses,
  usage,
  removed,
  sandboxes,
  created,
  completed,
}: StatsRow): OrgConversationStats {
  const counts = byStatus(statuses);
  const shown = byShownStatus(sandboxes);
  const used = toUsage(usage.find((row) => row.is_total));
  return {
    total_conversations: sumOf(statuses),
    sub_conversations: sumOf(statuses.filter((row) => row.is_sub)),
    by_execution_status: counts,
    created_within: created,
    sandboxes: shown,
    usage: used,
    by_model: usage
      .filter((row) => !row.is_total && row.conversations > 0)
      .map((row) => Object.assign({ llm_model: row.llm_model === '' ? null : row.llm_model }, toUsage(row))),
    removed: toUsage(removed),
    active_conversations: counts.running,
    running_runtimes: shown.RUNNING,
    completed_24h: completed['24h'],
    completed_7d: completed['7d'],
    completed_30d: completed['30d'],
    total_cost: used.accumulated_cost,
    total_prompt_tokens: used.prompt_tokens,
    total_completion_tokens: used.completion_tokens,
    total_tokens: used.total_tokens,
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

/** Counts of sandboxes, with zeros for statuses that none has. */
export function byShownStatus(counted: StatsRow['sandboxes']): SandboxesByStatus {
  const { STARTING = 0, RUNNING = 0, PAUSED = 0, ERROR = 0, MISSING = 0 } = counted;
  return { STARTING, RUNNING, PAUSED, ERROR, MISSING };
}

/** Of an organization without conversations. */
const NO_USAGE: UsageAmounts = {
  conversations: 0,
  accumulated_cost: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
};

/** Amounts as they are answered; without any, all zero. */
export function toUsage(row: UsageAmounts = NO_USAGE): ConversationUsage {
  return {
    conversations: row.conversations,
    accumulated_cost: row.accumulated_cost,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    total_tokens: row.prompt_tokens + row.completion_tokens,
    cache_read_tokens: row.cache_read_tokens,
    cache_write_tokens: row.cache_write_tokens,
  };
}
