import { Statement } from '../../../kernel/database';
import type { BudgetPeriod, BudgetScope } from '../record/budget';

/* By hand because who is told depends on members, users, service accounts and conversations. */

/**
 * Those who are told of a budget ($1): owners and admins of its organization, and the member whose own it is ($2: what it is about)
 * or whose conversation; of these, who can sign in.
 */
export const LIMIT_MAIL_RECIPIENTS = new Statement<{ readonly user_id: string }>(
  `SELECT m.user_id FROM budgets b
     JOIN org_members m ON m.org_id = b.org_id
     JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
    WHERE b.id = $1 AND NOT EXISTS (SELECT FROM service_accounts s WHERE s.user_id = u.id)
      AND (m.role IN ('owner', 'admin')
           OR b.scope IN ('user', 'each_user') AND m.user_id::text = $2
           OR b.scope = 'conversation' AND m.user_id = (
                SELECT c.created_by_user_id FROM conversations c WHERE c.id = CASE b.scope WHEN 'conversation' THEN b.subject::uuid END))
    ORDER BY m.user_id`,
);

/** A mail about a budget: where it goes, and what it names. */
export interface LimitMailRow {
  readonly email: string;
  readonly org_name: string;
  readonly scope: BudgetScope;
  readonly subject: string;
  /** The address of the user, or the title of the conversation; null for others, and for what is gone or has none. */
  readonly subject_name: string | null;
  readonly period: BudgetPeriod;
}

/** A mail about a budget ($1) to a member ($2), and what it is about ($3); nothing once the budget is gone, or they are no member any more. */
export const LIMIT_MAIL = new Statement<LimitMailRow>(
  `SELECT u.email, o.name AS org_name, b.scope, coalesce($3, '') AS subject, b.period,
          CASE WHEN b.scope IN ('user', 'each_user') THEN (
                 SELECT w.email FROM users w WHERE w.id = CASE WHEN b.scope IN ('user', 'each_user') THEN $3::uuid END)
               WHEN b.scope = 'conversation' THEN (SELECT c.title FROM conversations c WHERE c.id = b.subject::uuid)
          END AS subject_name
     FROM budgets b
     JOIN organizations o ON o.id = b.org_id
     JOIN org_members m ON m.org_id = o.id AND m.user_id = $2
     JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
    WHERE b.id = $1`,
);
