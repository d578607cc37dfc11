import { Injectable } from '@nestjs/common';
import type { OrgContext } from '../../../../kernel/auth';
import { Clock } from '../../../../kernel/common';
import { OrgListDatabase } from '../database/org-list-database';
import { toUsage } from '../stats/org-stats.service';
import { usageOfDays } from '../usage/usage.service';
import { type UsageRow, usageQuery } from '../usage/usage.read-model';
import type { UsageGroup } from '../usage/usage.dto';
import type { UsageStats, UsageStatsQuery, UserUsagePage, UserUsageQuery } from './usage-reports.dto';
import { USER_USAGE, type UserUsageRow } from './user-usage.read-model';

const DEFAULT_DAYS = 7;
const WINDOW_DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;

/** How many of each are told apart. */
const MOST = { day: 0, user: 100, model: 50 } as const satisfies Partial<Record<UsageGroup, number>>;

/** What an organization and its members used, in two shapes of the public API (docs/contract.md#usage). */
@Injectable()
export class UsageReportsService {
  constructor(
    private readonly database: OrgListDatabase,
    private readonly clock: Clock,
  ) {}

  /** What an organization used in a period. @throws UsagePeriodInvalidError, ConversationsUnavailableError */
  async stats(orgId: string, { days, time_window: window }: UsageStatsQuery): Promise<UsageStats> {
    const now = this.clock.now();
    const newYear = Date.UTC(now.getUTCFullYear(), 0, 1);
    const period = usageOfDays(
      window === 'ytd'
        ? { from: new Date(newYear).toISOString().slice(0, 10), to: null }
        : { from: null, to: null },
      now,
      window === null || window === 'ytd' ? (days ?? DEFAULT_DAYS) : WINDOW_DAYS[window],
    );
    const read = async (group: keyof typeof MOST): Promise<UsageRow> => {
      const { sql, parameters } = usageQuery(group, { orgId, ...period, limit: MOST[group] });
      return this.database.row<UsageRow>(sql, parameters);
    };
    const [byDay, byUser, byModel] = [await read('day'), await read('user'), await read('model')];
    const totals = toUsage(byDay.totals);
    return {
      active_users: byUser.told_apart ?? 0,
      agent_runs: totals.conversations,
      total_tokens: totals.total_tokens,
      estimated_spend: totals.accumulated_cost,
      daily_usage: byDay.items.map(({ value, ...amounts }) => ({
        date: value,
        tokens: toUsage(amounts).total_tokens,
        conversations: amounts.conversations,
      })),
      team_usage: byUser.items.map(({ value, user_email, user_name, ...amounts }) => {
        const { total_tokens } = toUsage(amounts);
        return {
          user_id: value,
          user_email,
          user_name: user_name ?? null,
          conversation_count: amounts.conversations,
          total_tokens,
          percentage: totals.total_tokens === 0 ? 0 : (total_tokens / totals.total_tokens) * 100,
        };
      }),
      model_usage: byModel.items.map(({ value, ...amounts }) => ({
        model_name: value,
        conversation_count: amounts.conversations,
        total_tokens: toUsage(amounts).total_tokens,
        total_cost: amounts.accumulated_cost,
      })),
      agent_usage: [],
    };
  }

  /** Members with what each has used, as far as the caller may see it. @throws ConversationsUnavailableError */
  async users({ orgId, permissions }: OrgContext, { limit, offset }: UserUsageQuery): Promise<UserUsagePage> {
    const rows = await this.database.rows<UserUsageRow>(USER_USAGE, [
      orgId,
      limit + 1,
      offset,
      permissions.has('view_budgets'),
      permissions.has('manage_sessions'),
    ]);
    return {
      items: rows.slice(0, limit).map((row) => ({ ...row, first_login_at: null, prs_merged: null })),
      has_more: rows.length > limit,
    };
  }
}
