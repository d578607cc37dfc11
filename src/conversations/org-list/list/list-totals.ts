const DAY_MS = 86_400_000;

/** What counters know of; `$1` is the organization. */
export interface Counted {
  /** The parameter with the execution statuses, or null for all. */
  readonly statuses: string | null;
  /** The moment the time window begins, or null when it has no beginning. */
  readonly start: Date | null;
  readonly includesSubs: boolean;
}

/**
 * An exact total as an expression of SQL, by the counters that the database keeps; conversations of one day at
 * most are counted.
 */
export function countedTotal({ statuses, start, includesSubs }: Counted): string {
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
