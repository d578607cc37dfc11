import { CONVERSATION_AMOUNTS, type UsageAmounts } from '../stats/org-stats.read-model';
import type { UsageGroup } from './usage.dto';

/** What was used under one value. */
export interface UsageValueRow extends UsageAmounts {
  /** Empty for none. */
  readonly value: string;
  readonly user_email: string | null;
  /** Of users alone. */
  readonly user_name?: string | null;
}

/** The usage of an organization in a period, as one row. */
export interface UsageRow {
  readonly items: readonly UsageValueRow[];
  readonly others: UsageAmounts;
  readonly totals: UsageAmounts;
  /** How many values there are that are told apart; not of days. */
  readonly told_apart?: number;
}

const AMOUNTS = CONVERSATION_AMOUNTS.join(', ');
const SUMS = CONVERSATION_AMOUNTS.map((amount) => `coalesce(sum(${amount}), 0) AS ${amount}`).join(', ');

const CALL_SUMS = `sum(cost) AS accumulated_cost, sum(prompt_tokens) AS prompt_tokens,
  sum(completion_tokens) AS completion_tokens, sum(cache_read_tokens) AS cache_read_tokens,
  sum(cache_write_tokens) AS cache_write_tokens`;
const CALL_TOTALS = CONVERSATION_AMOUNTS.filter((amount) => amount !== 'conversations')
  .map((amount) => `coalesce(sum(c.${amount}), 0) AS ${amount}`)
  .join(', ');

/** What an organization ($1) used from a day ($2) to another ($3) and is not folded yet. */
const RECENT = `recent AS MATERIALIZED (
    SELECT day, user_id, llm_model, repository, tags, ${SUMS} FROM usage_deltas
     WHERE org_id = $1 AND day BETWEEN $2::date AND $3::date GROUP BY 1, 2, 3, 4, 5)`;

/** What it used, folded or {@link RECENT}, in a dimension. */
const used = (dimension: 'all' | Exclude<UsageGroup, 'day'>): string => `
  SELECT day, value, is_rest, ${AMOUNTS} FROM usage_by_day
   WHERE org_id = $1 AND dimension = '${dimension}' AND day BETWEEN $2::date AND $3::date
  UNION ALL
  SELECT d.day, p.value, false, ${AMOUNTS} FROM recent d
   CROSS JOIN LATERAL usage_places(d.user_id, d.llm_model, d.repository, d.tags) p
   WHERE p.dimension = '${dimension}'`;

/** @param total what all of it is */
const row = (total: string): string => `
  SELECT (SELECT coalesce(jsonb_agg(i ORDER BY i.place), '[]') FROM items i) AS items,
         (SELECT to_jsonb(o) FROM (SELECT ${SUMS} FROM others) o) AS others,
         (SELECT to_jsonb(t) FROM (SELECT ${SUMS} FROM (${total}) u) t) AS totals`;

const ROW = row(used('all'));

/** Each day with what was used on it. @param total what all of it is, by day */
const byDay = (total: string): string => `
  WITH ${RECENT}, items AS (
    SELECT day::date AS place, to_char(day, 'YYYY-MM-DD') AS value, NULL AS user_email, ${SUMS}
      FROM generate_series($2::timestamp, $3::timestamp, '1 day') AS day
      LEFT JOIN (SELECT day AS of_day, ${AMOUNTS} FROM (${total}) u) u ON u.of_day = day
     GROUP BY day
  ), others AS (SELECT * FROM items WHERE false) ${row(total)}`;

const BY_DAY = byDay(used('all'));
/** Of one user ($4). */
const OWN_BY_DAY = byDay(`SELECT * FROM (${used('user')}) every WHERE value = $4::text`);

/** What a call is told apart by, and the arguments of `usage_places` that have it. */
const OF_CALLS = {
  model: { source: 'model', places: 'source, NULL, NULL' },
  repository: { source: "coalesce(repository, '')", places: 'NULL, source, NULL' },
  tag: { source: 'tags', places: 'NULL, NULL, source' },
} as const;

/**
 * Of one user ($4), from the ledger, up to so many values ($5): usage by day does not tell apart what each user used. Calls are
 * many, and told apart by few: only these are asked for their values.
 */
const ownByValue = (dimension: keyof typeof OF_CALLS): string => `
  WITH calls AS MATERIALIZED (
    SELECT ${OF_CALLS[dimension].source} AS source, conversation_id, ${CALL_SUMS} FROM model_calls
     WHERE user_id = $4::uuid AND org_id = $1 AND status <> 'reserved'
       AND at >= $2::date::timestamp AT TIME ZONE 'UTC' AND at < ($3::date + 1)::timestamp AT TIME ZONE 'UTC'
     GROUP BY 1, 2
  ), places AS MATERIALIZED (
    SELECT s.source, p.value FROM (SELECT DISTINCT source FROM calls) s
     CROSS JOIN LATERAL usage_places($4::uuid, ${OF_CALLS[dimension].places}) p WHERE p.dimension = '${dimension}'
  ), ranked AS MATERIALIZED (
    SELECT p.value, count(DISTINCT c.conversation_id) AS conversations, ${CALL_TOTALS},
           row_number() OVER (ORDER BY sum(c.accumulated_cost) DESC, p.value) AS place
      FROM calls c JOIN places p USING (source) GROUP BY p.value
  ), items AS (SELECT r.*, NULL AS user_email FROM ranked r WHERE place <= $5
  ), others AS (SELECT * FROM ranked WHERE place > $5)
  ${row(`SELECT count(DISTINCT conversation_id) AS conversations, ${CALL_TOTALS} FROM calls c`)}`;

/** Values in the order of their cost, up to so many ($4). */
const byValue = (dimension: Exclude<UsageGroup, 'day'>): string => `
  WITH ${RECENT}, ranked AS MATERIALIZED (
    SELECT value, is_rest, ${SUMS},
           row_number() OVER (ORDER BY is_rest, sum(accumulated_cost) DESC, sum(conversations) DESC, value) AS place
      FROM (${used(dimension)}) u GROUP BY value, is_rest
  ), items AS (
    SELECT r.*, ${dimension === 'user' ? 'u.email AS user_email, u.name AS user_name' : 'NULL AS user_email'}
      FROM ranked r ${dimension === 'user' ? "LEFT JOIN users u ON u.id = nullif(r.value, '')::uuid" : ''}
     WHERE place <= $4 AND NOT is_rest
  ), others AS (SELECT * FROM ranked WHERE place > $4 OR is_rest) ${ROW},
         (SELECT count(*) FROM ranked WHERE NOT is_rest) AS told_apart`;

/**
 * The usage of an organization. By hand because one query reads counters and what is not added to them yet at one moment
 * (docs/decisions/0052-usage-by-day.md).
 */
export function usageQuery(
  group: UsageGroup,
  parameters: { readonly orgId: string; readonly from: string; readonly to: string; readonly limit: number },
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  const { orgId, from, to, limit } = parameters;
  return group === 'day'
    ? { sql: BY_DAY, parameters: [orgId, from, to] }
    : { sql: byValue(group), parameters: [orgId, from, to, limit] };
}

/** The usage of one user of an organization. By hand as {@link usageQuery} is. */
export function ownUsageQuery(
  group: Exclude<UsageGroup, 'user'>,
  parameters: { readonly orgId: string; readonly from: string; readonly to: string; readonly limit: number },
  userId: string,
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  const { orgId, from, to, limit } = parameters;
  return group === 'day'
    ? { sql: OWN_BY_DAY, parameters: [orgId, from, to, userId] }
    : { sql: ownByValue(group), parameters: [orgId, from, to, userId, limit] };
}
