import { queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { Role } from '../../../kernel/auth';

/** A membership, as its member gets it. */
export interface OwnMembershipRow {
  readonly org_id: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at: Date;
}

/** In which organizations a user is, by id. By hand: with the names of these, without an entity for each. */
export function selectMemberships(database: SqlRunner, userId: string): Promise<OwnMembershipRow[]> {
  return queryRows(
    database,
    `SELECT m.org_id, o.name, m.role, m.created_at
       FROM org_members m JOIN organizations o ON o.id = m.org_id WHERE m.user_id = $1 ORDER BY m.org_id`,
    [userId],
  );
}

/**
 * Whether a member is the last owner of an organization that other people are in. By hand: owners and people are looked for in one
 * statement.
 */
export async function isLastOwnerOfOthers(
  transaction: SqlRunner,
  orgId: string,
  userId: string,
): Promise<boolean> {
  const row = await queryRow(
    transaction,
    `SELECT 1 FROM org_members me
      WHERE me.org_id = $1 AND me.user_id = $2 AND me.role = 'owner'
        AND NOT EXISTS (SELECT 1 FROM org_members m WHERE m.org_id = $1 AND m.user_id <> $2 AND m.role = 'owner')
        AND EXISTS (SELECT 1 FROM org_members m JOIN users u ON u.id = m.user_id
                     WHERE m.org_id = $1 AND m.user_id <> $2 AND u.kind = 'person')`,
    [orgId, userId],
  );
  return row !== null;
}
