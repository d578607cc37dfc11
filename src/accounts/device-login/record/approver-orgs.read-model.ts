import { queryRows, type SqlRunner } from '../../../kernel/database';

/** An organization that a key may be for. */
export interface ApproverOrg {
  readonly id: string;
  readonly name: string;
}

/** As many as a person can look through. */
const MOST = 200;

/**
 * The organizations of a user, the current one first. By hand: names and memberships are those of another module.
 * @param onlyOrgId the only one to be read; null for all
 */
export function selectApproverOrgs(
  database: SqlRunner,
  userId: string,
  currentOrgId: string | null,
  onlyOrgId: string | null,
): Promise<ApproverOrg[]> {
  return queryRows(
    database,
    `SELECT o.id, o.name FROM org_members m JOIN organizations o ON o.id = m.org_id
      WHERE m.user_id = $1 AND ($3::uuid IS NULL OR o.id = $3)
      ORDER BY o.id IS DISTINCT FROM $2::uuid, lower(o.name), o.id LIMIT $4`,
    [userId, currentOrgId, onlyOrgId, MOST],
  );
}
