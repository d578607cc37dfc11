import { type ColumnsOf, queryRows, type SqlRunner } from '../../../kernel/database';
import type { OrgCredentialRules } from '../record/org-credential-rules.entity';
import type { OrgMember } from '../record/org-member.entity';

/** A member of an organization that has rules, with those about making keys. */
export interface KeyMakerRow
  extends
    ColumnsOf<OrgMember, 'role'>,
    ColumnsOf<OrgCredentialRules, 'longestKeyDays' | 'expiryRequired' | 'scopesRequired' | 'keyMakers'> {
  /** The name of the organization. */
  readonly name: string;
}

/**
 * The rules of one organization of a user, or of all. By hand: they come with the member's role and the organization's name.
 * @param orgId null for all
 */
export function selectKeyMaker(
  database: SqlRunner,
  userId: string,
  orgId: string | null,
): Promise<KeyMakerRow[]> {
  return queryRows(
    database,
    `SELECT o.name, m.role, c.longest_key_days, c.expiry_required, c.scopes_required, c.key_makers
       FROM org_members m
       JOIN org_credential_rules c ON c.org_id = m.org_id
       JOIN organizations o ON o.id = m.org_id
      WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.org_id = $2)
      ORDER BY o.name, o.id`,
    [userId, orgId],
  );
}
