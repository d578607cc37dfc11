import { Injectable } from '@nestjs/common';
import type { OrgConversationsFilter } from './org-conversations.dto';
import { windowStart } from './list-condition';
import { OrgListDatabase } from './org-list-database';

const DAY_MS = 86_400_000;

/** What counters know of. */
export type CountedFilter = Pick<
  OrgConversationsFilter,
  'execution_status' | 'time_window' | 'include_sub_conversations'
>;

/** Exact totals by the counters that the database keeps; conversations of one day at most are counted. */
@Injectable()
export class ListTotals {
  constructor(private readonly database: OrgListDatabase) {}

  /** @throws ConversationsUnavailableError */
  async total(orgId: string, filter: CountedFilter, now: Date): Promise<number> {
    const parameters: unknown[] = [orgId];
    const counted = ['org_id = $1'];
    const stored = ['org_id = $1', 'deleted_at IS NULL'];
    if (!filter.include_sub_conversations) {
      counted.push('NOT is_sub');
      stored.push('parent_conversation_id IS NULL');
    }
    if (filter.execution_status.length > 0) {
      parameters.push([...new Set(filter.execution_status)]);
      counted.push('execution_status = ANY ($2::text[])');
      stored.push('execution_status = ANY ($2::text[])');
    }
    const start = windowStart(filter.time_window, now);
    const where = counted.join(' AND ');
    let days = `day = '-infinity'`;
    let newDays = 'true';
    let brokenDay = '';
    if (start !== null) {
      const firstWholeDay = new Date(Math.ceil(start.getTime() / DAY_MS) * DAY_MS);
      const [from, whole] = [start, firstWholeDay].map(
        (moment) => `$${parameters.push(moment)}::timestamptz`,
      );
      days = newDays = `day >= (${whole} AT TIME ZONE 'UTC')::date`;
      brokenDay = `UNION ALL SELECT count(*) FROM conversations
                    WHERE ${stored.join(' AND ')} AND created_at >= ${from} AND created_at < ${whole}`;
    }
    const [row] = await this.database.query<{ total: number }>(
      `SELECT coalesce(sum(conversations), 0)::double precision AS total FROM (
         SELECT conversations FROM conversation_counts WHERE ${where} AND ${days}
         UNION ALL SELECT conversations FROM conversation_count_deltas WHERE ${where} AND ${newDays}
         ${brokenDay}) counted`,
      parameters,
    );
    return row?.total ?? 0;
  }
}
