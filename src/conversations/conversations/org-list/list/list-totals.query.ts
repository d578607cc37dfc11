import type { CounterFilter } from '../counters/filter-counting';
import type { COUNTING } from './list-filters';

/** The parameters of the counters for each filter that they cover. */
interface CounterValues {
  /** The statuses, as an expression, or null for all. */
  readonly execution_status: string | null;
  /** The moment the window begins, as an expression, or null when it has no beginning. */
  readonly time_window: string | null;
  readonly include_sub_conversations: boolean;
}

/** The filters of a list as parameters of the counter query; every filter counted by counters needs a value here. */
type Counted = { readonly [Name in CounterFilter<typeof COUNTING>]: CounterValues[Name] };

/**
 * An exact total as an expression of SQL over an organization, itself an expression, by the counters that the database keeps;
 * conversations of one day at most are counted. By hand because the counters are the database's own
 * (docs/decisions/0010-counters-kept-by-the-database.md).
 */
export function countedTotal(
  org: string,
  { execution_status: statuses, time_window: start, include_sub_conversations: includesSubs }: Counted,
): string {
  const counted = [`org_id = ${org}`];
  const stored = [`org_id = ${org}`, 'deleted_at IS NULL'];
  if (!includesSubs) {
    counted.push('NOT is_sub');
    stored.push('parent_conversation_id IS NULL');
  }
  if (statuses !== null) {
    counted.push(`execution_status = ANY (${statuses})`);
    stored.push(`execution_status = ANY (${statuses})`);
  }
  const where = counted.join(' AND ');
  if (start === null) return total(where, `day = '-infinity'`, 'true', '');
  // The first day, in UTC, that is in the window as a whole.
  const firstDay = `date_trunc('day', ${start} + interval '86399.999 seconds', 'UTC')`;
  const days = `day >= (${firstDay} AT TIME ZONE 'UTC')::date`;
  return total(
    where,
    days,
    days,
    `UNION ALL SELECT count(*) FROM conversations
      WHERE ${stored.join(' AND ')} AND created_at >= ${start} AND created_at < ${firstDay}`,
  );
}

function total(where: string, days: string, newDays: string, brokenDay: string): string {
  return `(
    SELECT coalesce(sum(conversations), 0)::double precision FROM (
      SELECT conversations FROM conversation_counts WHERE ${where} AND ${days}
      UNION ALL SELECT conversations FROM conversation_count_deltas WHERE ${where} AND ${newDays}
      ${brokenDay}) counted)`;
}
