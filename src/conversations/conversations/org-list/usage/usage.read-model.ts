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

/** Of the days from one ($2) to another ($3). */
const DAYS = 'day BETWEEN $2::date AND $3::date';

/** The first of the whole months in these days, and the first day after them: the same where there are none. */
const MONTHS_BEGIN = `date_trunc('month', $2::date + interval '1 month - 1 day')::date`;
const MONTHS_END = `greatest(${MONTHS_BEGIN}, date_trunc('month', $3::date + interval '1 day')::date)`;

type Dimension = 'all' | Exclude<UsageGroup, 'day'>;

/** What an organization ($1) used and is not folded yet. @param whose condition on the user */
const recent = (whose = ''): string => `recent AS MATERIALIZED (
    SELECT day, user_id, llm_model, repository, tags, ${SUMS} FROM usage_deltas
     WHERE org_id = $1 ${whose} AND ${DAYS} GROUP BY 1, 2, 3, 4, 5)`;

/** What is in {@link recent}, in a dimension. */
const recentIn = (dimension: Dimension): string => `
  SELECT d.day, p.value, false AS is_rest, ${AMOUNTS} FROM recent d
   CROSS JOIN LATERAL usage_places(d.user_id, d.llm_model, d.repository, d.tags) p
   WHERE p.dimension = '${dimension}'`;

/** What an organization used, folded or not, by day. @param condition on the values */
const usedByDay = (dimension: Dimension, condition = 'true'): string => `
  SELECT day, value, is_rest, ${AMOUNTS} FROM usage_by_day
   WHERE org_id = $1 AND dimension = '${dimension}' AND ${condition} AND ${DAYS}
  UNION ALL ${recentIn(dimension)}`;

/** As {@link usedByDay}, for what is told apart by many values: of whole months there is one row of each. */
const used = (dimension: Dimension): string => {
  const folded = (table: string, days: string): string => `
    SELECT value, is_rest, ${AMOUNTS} FROM ${table} WHERE org_id = $1 AND dimension = '${dimension}' AND ${days}`;
  return `${folded('usage_by_month', `month >= ${MONTHS_BEGIN} AND month < ${MONTHS_END}`)}
    UNION ALL ${folded('usage_by_day', `${DAYS} AND day < ${MONTHS_BEGIN}`)}
    UNION ALL ${folded('usage_by_day', `${DAYS} AND day >= ${MONTHS_END}`)}
    UNION ALL SELECT value, is_rest, ${AMOUNTS} FROM (${recentIn(dimension)}) r`;
};

/** What one user ($4) used, folded or not. */
const usedByUser = (dimension: Dimension): string => `
  SELECT day, value, is_rest, ${AMOUNTS} FROM usage_of_users
   WHERE org_id = $1 AND user_id = $4 AND dimension = '${dimension}' AND ${DAYS}
  UNION ALL ${recentIn(dimension)}`;

/** @param total what all of it is */
const row = (total: string): string => `
  SELECT (SELECT coalesce(jsonb_agg(i ORDER BY i.place), '[]') FROM items i) AS items,
         (SELECT to_jsonb(o) FROM (SELECT ${SUMS} FROM others) o) AS others,
         (SELECT to_jsonb(t) FROM (SELECT ${SUMS} FROM (${total}) u) t) AS totals`;

/** Each day with what was used on it. @param total what all of it is, by day */
const byDay = (total: string): string => `items AS (
    SELECT day::date AS place, to_char(day, 'YYYY-MM-DD') AS value, NULL AS user_email, ${SUMS}
      FROM generate_series($2::date::timestamp, $3::date::timestamp, '1 day') AS day
      LEFT JOIN (SELECT day AS of_day, ${AMOUNTS} FROM (${total}) u) u ON u.of_day = day
     GROUP BY day
  ), others AS (SELECT * FROM items WHERE false) ${row(total)}`;

/** Values in the order of their cost, up to so many. @param limit the parameter that has how many */
const byValue = (
  dimension: Exclude<UsageGroup, 'day'>,
  limit: string,
  { values, total }: { readonly values: string; readonly total: string },
): string => `ranked AS MATERIALIZED (
    SELECT value, is_rest, ${SUMS},
           row_number() OVER (ORDER BY is_rest, sum(accumulated_cost) DESC, sum(conversations) DESC, value) AS place
      FROM (${values}) u GROUP BY value, is_rest
  ), items AS (
    SELECT r.*, ${dimension === 'user' ? 'u.email AS user_email, u.name AS user_name' : 'NULL AS user_email'}
      FROM ranked r ${dimension === 'user' ? "LEFT JOIN users u ON u.id = nullif(r.value, '')::uuid" : ''}
     WHERE place <= ${limit} AND NOT is_rest
  ), others AS (SELECT * FROM ranked WHERE place > ${limit} OR is_rest) ${row(total)},
         (SELECT count(*) FROM ranked WHERE NOT is_rest) AS told_apart`;

const OF_ORG = `WITH ${recent()}`;
const OF_USER = `WITH ${recent('AND user_id = $4::uuid')}`;

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
    ? { sql: `${OF_ORG}, ${byDay(usedByDay('all'))}`, parameters: [orgId, from, to] }
    : {
        sql: `${OF_ORG}, ${byValue(group, '$4', { values: used(group), total: usedByDay('all') })}`,
        parameters: [orgId, from, to, limit],
      };
}

/**
 * The usage of one user of an organization. By hand as {@link usageQuery} is. Each conversation and call has one model, or none: what
 * they add up to is all of it.
 */
export function ownUsageQuery(
  group: Exclude<UsageGroup, 'user'>,
  parameters: { readonly orgId: string; readonly from: string; readonly to: string; readonly limit: number },
  userId: string,
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  const { orgId, from, to, limit } = parameters;
  return group === 'day'
    ? {
        sql: `${OF_USER}, ${byDay(usedByDay('user', 'value = $4::text AND NOT is_rest'))}`,
        parameters: [orgId, from, to, userId],
      }
    : {
        sql: `${OF_USER}, ${byValue(group, '$5', { values: usedByUser(group), total: usedByUser('model') })}`,
        parameters: [orgId, from, to, userId, limit],
      };
}
