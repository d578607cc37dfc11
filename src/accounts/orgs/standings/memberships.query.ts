import type { CredentialRules, Membership } from '../../../kernel/auth';
import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { OrgMember } from '../record/org-member.entity';
import type { User } from '../record/user.entity';

/** A member's role, the permissions of the organization's own role that they have, and what it asks of credentials. */
export interface StandingRow extends ColumnsOf<OrgMember, 'role'>, ColumnsOf<User, 'kind'> {
  /** Null without one. */
  readonly permissions: readonly string[] | null;
  /** Null without any. */
  readonly rules: CredentialRules | null;
}

const OWN_ROLE_AND_RULES = `LEFT JOIN org_roles r ON r.id = m.own_role_id
       LEFT JOIN org_credential_rules c ON c.org_id = m.org_id`;

const RULES = `CASE WHEN c.org_id IS NOT NULL THEN json_build_object(
              'longestKeyDays', c.longest_key_days, 'expiryRequired', c.expiry_required,
              'scopesRequired', c.scopes_required, 'keysBesideProvider', c.keys_beside_provider,
              'onlyProviderId', c.only_provider_id) END AS rules`;

/**
 * The role of a member who is not disabled. By hand: requests wait for it whenever the cached one has expired, and
 * building and reading an entity would cost more than the statement.
 */
export function selectStanding(
  database: SqlRunner,
  orgId: string,
  userId: string,
): Promise<StandingRow | null> {
  return queryRow(
    database,
    `SELECT m.role, u.kind, r.permissions, ${RULES}
       FROM org_members m
       JOIN users u ON u.id = m.user_id
       ${OWN_ROLE_AND_RULES}
      WHERE m.org_id = $1 AND m.user_id = $2 AND u.disabled_at IS NULL`,
    [orgId, userId],
  );
}

/**
 * Those of some users who are members of the organizations named with them, and not disabled. By hand: pairs are
 * looked up, and twice a second while connections are open.
 */
export function selectMembers(
  database: SqlRunner,
  memberships: readonly Membership[],
): Promise<readonly (StandingRow & ColumnsOf<OrgMember, 'userId' | 'orgId'>)[]> {
  return queryRows(
    database,
    `SELECT m.user_id, m.org_id, m.role, u.kind, r.permissions, ${RULES}
       FROM unnest($1::uuid[], $2::uuid[]) AS n (user_id, org_id)
       JOIN org_members m ON m.user_id = n.user_id AND m.org_id = n.org_id
       JOIN users u ON u.id = m.user_id
       ${OWN_ROLE_AND_RULES}
      WHERE u.disabled_at IS NULL`,
    [memberships.map(({ userId }) => userId), memberships.map(({ orgId }) => orgId)],
  );
}
