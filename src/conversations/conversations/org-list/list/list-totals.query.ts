import type { CounterFilter } from './filter-counting';
import type { COUNTING } from './list-filters';

const DAY_MS = 86_400_000;

/** The parameters of the counters for each filter that they cover. */
interface CounterValues {
  /** The parameter with the statuses, or null for all. */
  readonly execution_status: string | null;
  /** The moment the window begins, or null when it has no beginning. */
  readonly time_window: Date | null;
  readonly include_sub_conversations: boolean;
}

/** The filters of a list as parameters of the counter query; every filter counted by counters needs a value here. */
type Counted = { readonly [Name in CounterFilter<typeof COUNTING>]: CounterValues[Name] };

/**
 * An exact total as an expression of SQL over the organization `$1`, by the counters that the database keeps;
 * conversations of one day at most are counted. By hand because the counters are the database's own
 * (docs/decisions/0010-counters-kept-by-the-database.md).
 */
export function countedTotal({
  execution_status: statuses,
  time_window: start,
  include_sub_conversations: includesSubs,
}: Counted): string {
  const counted = ['org_id = $1'];
  const stored = ['org_id = $1', 'deleted_at IS NULL'];
  if (!includesSubs) {
    counted.push('NOT is_sub');
    stored.push('parent_conversation_id IS NULL');
  }
  if (statuses !== null) {
    counted.push(`execution_status = ANY (${statuses}::text[])`);
    stored.push(`execution_status = ANY (${statuses}::text[])`);
  }
  const where = counted.join(' AND ');
  if (start === null) return total(where, `day = '-infinity'`, 'true', '');
  const firstWholeDay = new Date(Math.ceil(start.getTime() / DAY_MS) * DAY_MS).toISOString();
  const days = `day >= '${firstWholeDay.slice(0, 10)}'`;
  return total(
    where,
    days,
    days,
    `UNION ALL SELECT count(*) FROM conversations
      WHERE ${stored.join(' AND ')} AND created_at >= '${start.toISOString()}' AND created_at < '${firstWholeDay}'`,
  );
}

function total(where: string, days: string, newDays: string, brokenDay: string): string {
  return `(
    SELECT coalesce(sum(conversations), 0)::double precision FROM (
      SELECT conversations FROM conversation_counts WHERE ${where} AND ${days}
      UNION ALL SELECT conversations FROM conversation_count_deltas WHERE ${where} AND ${newDays}
      ${brokenDay}) counted)`;
}
