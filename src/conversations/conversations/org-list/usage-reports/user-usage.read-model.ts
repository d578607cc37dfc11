import type { UserUsage } from './usage-reports.dto';

/** What is read of a member. */
export type UserUsageRow = Omit<UserUsage, 'first_login_at' | 'prs_merged'>;

const TODAY = `now() AT TIME ZONE 'UTC'`;
const spend = (since: string): string =>
  `coalesce(sum(d.usd) FILTER (WHERE d.day >= date_trunc('${since}', ${TODAY})), 0)::float8`;
const conversation = (order: 'ASC' | 'DESC'): string => `(
         SELECT c.created_at FROM conversations c
          WHERE c.created_by_user_id = f.user_id AND c.org_id = $1 AND c.deleted_at IS NULL
          ORDER BY c.created_at ${order}, c.id ${order} LIMIT 1)`;

/**
 * Members of an organization ($1), so many ($2) after others ($3), with what they have used; with limits of budgets for whoever may
 * see these ($4), and the last sign-in for whoever may see sessions ($5). By hand because it is read of these
 * alone, whatever the others have: from the days on which each of them used something, and the ends of their conversations
 * (docs/decisions/0072-budget-for-each-user.md).
 */
export const USER_USAGE = `
  WITH found AS MATERIALIZED (
    SELECT m.user_id, u.email, u.name FROM org_members m JOIN users u ON u.id = m.user_id
     WHERE m.org_id = $1 ORDER BY m.user_id LIMIT $2 OFFSET $3
  ), recent AS MATERIALIZED (
    SELECT user_id, day, sum(conversations) AS conversations, sum(accumulated_cost) AS usd FROM usage_deltas
     WHERE org_id = $1 GROUP BY 1, 2
  )
  SELECT f.user_id, f.email AS user_email, f.name AS user_name, used.*,
         ${conversation('ASC')} AS first_conversation_at, ${conversation('DESC')} AS last_conversation_at, (
         SELECT max(s.created_at) FROM api_keys k JOIN browser_sessions s ON s.api_key_id = k.id
          WHERE $5 AND k.user_id = f.user_id AND (k.org_id = $1 OR k.org_id IS NULL)) AS last_login_at,
         CASE WHEN NOT $4 THEN NULL WHEN own.id IS NULL THEN each_user.limit_usd WHEN own.enabled THEN own.limit_usd END::float8
           AS budget_monthly_limit,
         $4 AND own.id IS NOT NULL AND own.limit_usd IS NULL AND own.limit_tokens IS NULL AS budget_is_disabled
    FROM found f
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(d.conversations), 0)::bigint AS conversation_count, ${spend('month')} AS spend_mtd,
            ${spend('year')} AS spend_ytd, coalesce(sum(d.usd), 0)::float8 AS spend_lifetime
       FROM (SELECT day, conversations, accumulated_cost AS usd FROM usage_by_day
              WHERE org_id = $1 AND dimension = 'user' AND NOT is_rest AND value = f.user_id::text
             UNION ALL
             SELECT r.day, r.conversations, r.usd FROM recent r WHERE r.user_id = f.user_id) d) used
    LEFT JOIN budgets own ON own.org_id = $1 AND own.scope = 'user' AND own.subject = f.user_id::text
     AND own.period = 'month'
    LEFT JOIN budgets each_user ON each_user.org_id = $1 AND each_user.scope = 'each_user' AND each_user.subject = ''
     AND each_user.period = 'month' AND each_user.enabled
   ORDER BY f.user_id`;
