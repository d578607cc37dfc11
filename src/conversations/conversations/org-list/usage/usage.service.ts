import { Injectable, StreamableFile } from '@nestjs/common';
import { Clock, CsvLines } from '../../../../kernel/common';
import { OrgListDatabase } from '../database/org-list-database';
import { toUsage } from '../stats/org-stats.service';
import { declaredFields } from '../../../../kernel/validation';
import {
  FIRST_DAY,
  MOST_DAYS,
  type OrgUsage,
  type OwnUsageQuery,
  type UsageExport,
  type UsageGroup,
  UsageItem,
  type UsageQuery,
} from './usage.dto';
import { UsagePeriodInvalidError } from './usage.errors';
import { ownUsageQuery, type UsageRow, usageQuery } from './usage.read-model';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

const TOO_LONG = `it has more than ${MOST_DAYS} days`;

/** Lines of an export. */
const MOST_EXPORTED = 10_000;

const CSV = new CsvLines(declaredFields(UsageItem).map(({ name }) => name));

interface Period {
  readonly from: string;
  readonly to: string;
}

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
    const period = usageOfDays(query, this.clock.now());
    return this.read(group_by, period, usageQuery(group_by, { orgId, ...period, limit }));
  }

  /** What one user of an organization used. @throws UsagePeriodInvalidError, ConversationsUnavailableError */
  async ownUsage(orgId: string, userId: string, query: OwnUsageQuery): Promise<OrgUsage> {
    const { group_by, limit } = query;
    const period = usageOfDays(query, this.clock.now());
    return this.read(group_by, period, ownUsageQuery(group_by, { orgId, ...period, limit }, userId));
  }

  /** As {@link usage}, as CSV (RFC 4180), with a line for what it leaves out. */
  async export(orgId: string, query: UsageExport): Promise<StreamableFile> {
    const { items, others } = await this.usage(orgId, Object.assign(query, { limit: MOST_EXPORTED }));
    const isCut = Object.values(others).some((amount) => amount !== 0);
    const lines = isCut ? [...items, Object.assign(others, { value: '(others)', user_email: null })] : items;
    const text = CSV.header + lines.map((line) => CSV.line(line)).join('');
    return new StreamableFile(Buffer.from(text), {
      type: 'text/csv; charset=utf-8; header=present',
      disposition: 'attachment; filename="usage.csv"',
    });
  }

  private async read(
    group_by: UsageGroup,
    { from, to }: Period,
    { sql, parameters }: ReturnType<typeof usageQuery>,
  ): Promise<OrgUsage> {
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
}

/**
 * The days of a period.
 * @param most how many there are where its first one is left out
 * @throws UsagePeriodInvalidError
 */
export function usageOfDays(
  given: { readonly from: string | null; readonly to: string | null },
  now: Date,
  most = DEFAULT_DAYS,
): Period {
  const to = given.to ?? dayOf(now.getTime());
  if (given.from === null && most > MOST_DAYS) throw new UsagePeriodInvalidError(TOO_LONG);
  const from = given.from ?? dayOf(Math.max(timeOf(to) - (most - 1) * DAY_MS, timeOf(FIRST_DAY)));
  const days = (timeOf(to) - timeOf(from)) / DAY_MS + 1;
  if (days < 1) throw new UsagePeriodInvalidError('it ends before it begins');
  if (days > MOST_DAYS) throw new UsagePeriodInvalidError(TOO_LONG);
  return { from, to };
}

function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
