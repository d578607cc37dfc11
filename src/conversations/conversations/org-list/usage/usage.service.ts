import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/common';
import { OrgListDatabase } from '../database/org-list-database';
import { toUsage } from '../stats/org-stats.service';
import { FIRST_DAY, MOST_DAYS, type OrgUsage, type UsageQuery } from './usage.dto';
import { UsagePeriodInvalidError } from './usage.errors';
import { type UsageRow, usageQuery } from './usage.read-model';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** What an organization used, from counters by day (docs/contract.md#usage). */
@Injectable()
export class UsageService {
  constructor(
    private readonly database: OrgListDatabase,
    private readonly clock: Clock,
  ) {}

  /** @throws UsagePeriodInvalidError, ConversationsUnavailableError */
  async usage(orgId: string, query: UsageQuery): Promise<OrgUsage> {
    const { group_by, limit } = query;
    const { from, to } = this.period(query);
    const { sql, parameters } = usageQuery(group_by, { orgId, from, to, limit });
    const { items, others, totals } = await this.database.row<UsageRow>(sql, parameters);
    return {
      group_by,
      from,
      to,
      items: items.map(({ value, user_email, ...amounts }) =>
        Object.assign({ value: value === '' ? null : value, user_email }, toUsage(amounts)),
      ),
      others: toUsage(others),
      totals: toUsage(totals),
    };
  }

  /** @throws UsagePeriodInvalidError */
  private period(query: UsageQuery): { from: string; to: string } {
    const to = query.to ?? dayOf(this.clock.now().getTime());
    const from = query.from ?? dayOf(Math.max(timeOf(to) - (DEFAULT_DAYS - 1) * DAY_MS, timeOf(FIRST_DAY)));
    const days = (timeOf(to) - timeOf(from)) / DAY_MS + 1;
    if (days < 1) throw new UsagePeriodInvalidError('it ends before it begins');
    if (days > MOST_DAYS) throw new UsagePeriodInvalidError(`it has more than ${MOST_DAYS} days`);
    return { from, to };
  }
}

function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
