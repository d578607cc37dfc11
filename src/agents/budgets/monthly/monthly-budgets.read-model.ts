import type { WantedText } from '../../../kernel/common';
import { hasPart, hasPartIndexed, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';

/** A member with what they have spent in this month, and their own monthly budget. */
export interface MonthlyUserRow {
  readonly user_id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly current_spend: number;
  readonly has_own: boolean;
  /** Whether that is enabled. */
  readonly counts: boolean;
  readonly limit_usd: number | null;
  readonly limit_tokens: number | null;
}

/** Which members to read: part of their names or addresses, or one of them; null for all. */
export interface WantedUsers {
  readonly orgId: string;
  readonly search: WantedText | null;
  readonly userId: string | null;
}

/*
 * By hand because members, users and what they have used belong to other modules, and one statement reads them at one moment. Usage by
 * day is read for those who are shown only (docs/decisions/0072-budget-for-each-user.md).
 */

const MONTH = `date_trunc('month', now() AT TIME ZONE 'UTC')::date`;

/** The members ($1, $2) that are found, and the parameters of that. */
function found({ orgId, search, userId }: WantedUsers): { sql: string; parameters: (string | null)[] } {
  const isIn = search?.isIndexed === true ? hasPartIndexed : hasPart;
  const condition = search === null ? '' : `AND (${isIn('u.name', '$3')} OR ${isIn('u.email', '$3')})`;
  const text = search?.isIndexed === true ? search.inPattern : search?.text;
  return {
    sql: `FROM org_members m JOIN users u ON u.id = m.user_id
          WHERE m.org_id = $1 AND ($2::uuid IS NULL OR m.user_id = $2) ${condition}`,
    parameters: [orgId, userId, ...(text === undefined ? [] : [text])],
  };
}

/** Members by user id. */
export function monthlyUsers(
  database: SqlRunner,
  wanted: WantedUsers,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<MonthlyUserRow[]> {
  const { sql, parameters } = found(wanted);
  return queryRows(
    database,
    `WITH found AS MATERIALIZED (
       SELECT m.user_id, u.email, u.name ${sql} ORDER BY m.user_id LIMIT ${limit} OFFSET ${offset}
     ), recent AS MATERIALIZED (
       SELECT user_id, sum(accumulated_cost) AS usd FROM usage_deltas WHERE org_id = $1 AND day >= ${MONTH} GROUP BY 1
     )
     SELECT f.*, (coalesce((SELECT sum(d.accumulated_cost) FROM usage_by_day d
                             WHERE d.org_id = $1 AND d.dimension = 'user' AND NOT d.is_rest
                               AND d.value = f.user_id::text AND d.day >= ${MONTH}), 0)
                  + coalesce(r.usd, 0))::float8 AS current_spend,
            own.id IS NOT NULL AS has_own, own.enabled IS TRUE AS counts, own.limit_usd::float8 AS limit_usd, own.limit_tokens::float8 AS limit_tokens
       FROM found f
       LEFT JOIN recent r ON r.user_id = f.user_id
       LEFT JOIN budgets own ON own.org_id = $1 AND own.scope = 'user' AND own.subject = f.user_id::text
        AND own.period = 'month'
      ORDER BY f.user_id`,
    parameters,
  );
}

/** How many members are found. */
export async function countMonthlyUsers(database: SqlRunner, wanted: WantedUsers): Promise<number> {
  const { sql, parameters } = found(wanted);
  const row = await queryRow<{ count: number }>(
    database,
    `SELECT count(*)::integer AS count ${sql}`,
    parameters,
  );
  return row?.count ?? 0;
}

/** What an organization has spent in this month. */
export interface MonthlySpendRow {
  readonly spend: number;
  /** Whether a monthly budget of it, of each user or of a user is enabled. */
  readonly enabled: boolean;
  /** When it was read, by the clock that months begin by. */
  readonly now: Date;
}

/** What an organization has spent in this month. */
export async function monthlySpend(database: SqlRunner, orgId: string): Promise<MonthlySpendRow> {
  const row = await queryRow<MonthlySpendRow>(
    database,
    `SELECT coalesce(sum(u.usd), 0)::float8 AS spend, now(),
            EXISTS (SELECT FROM budgets b WHERE b.org_id = $1 AND b.period = 'month' AND b.enabled
                      AND b.scope IN ('organization', 'each_user', 'user')) AS enabled
       FROM (
       SELECT accumulated_cost AS usd FROM usage_by_day WHERE org_id = $1 AND dimension = 'all' AND day >= ${MONTH}
       UNION ALL
       SELECT accumulated_cost FROM usage_deltas WHERE org_id = $1 AND day >= ${MONTH}) u`,
    [orgId],
  );
  if (row === null) throw new Error('The database answered no row.');
  return row;
}
