import { execute, queryRows, type SqlRunner } from '../../../kernel/database';

interface Of {
  readonly orgId: string;
  readonly groupId: string;
}

/** Adds people to a group; who is in it stays. By hand: thousands in one statement. @returns those who were not in it */
export async function addMembers(
  transaction: SqlRunner,
  { orgId, groupId }: Of,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await queryRows<{ scim_user_id: string }>(
    transaction,
    `INSERT INTO scim_group_members (org_id, group_id, scim_user_id)
     SELECT $1, $2, id FROM unnest($3::uuid[]) AS wanted (id)
     ON CONFLICT DO NOTHING RETURNING scim_user_id`,
    [orgId, groupId, ids],
  );
  return rows.map((row) => row.scim_user_id);
}

/** Takes people out of a group. By hand for the same reason. @returns those who were in it */
export async function removeMembers(
  transaction: SqlRunner,
  { orgId, groupId }: Of,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await queryRows<{ scim_user_id: string }>(
    transaction,
    `DELETE FROM scim_group_members
      WHERE org_id = $1 AND group_id = $2 AND scim_user_id = ANY ($3::uuid[]) RETURNING scim_user_id`,
    [orgId, groupId, ids],
  );
  return rows.map((row) => row.scim_user_id);
}

/** The people in a group. By hand: ids alone, of thousands. */
export async function memberIds(transaction: SqlRunner, { orgId, groupId }: Of): Promise<string[]> {
  const rows = await queryRows<{ scim_user_id: string }>(
    transaction,
    `SELECT scim_user_id FROM scim_group_members WHERE org_id = $1 AND group_id = $2`,
    [orgId, groupId],
  );
  return rows.map((row) => row.scim_user_id);
}

/** Of some ids, those that are no people of the organization's directory. By hand for the same reason. */
export async function unknownPeople(
  transaction: SqlRunner,
  orgId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    transaction,
    `SELECT wanted.id::text FROM unnest($2::uuid[]) AS wanted (id)
      WHERE NOT EXISTS (SELECT FROM scim_users s
                         WHERE s.org_id = $1 AND s.id = wanted.id AND s.deleted_at IS NULL)`,
    [orgId, ids],
  );
  return rows.map(({ id }) => id);
}

/** Notes that a group has changed. By hand: the version counts in the statement. */
export async function touchGroup(
  transaction: SqlRunner,
  { orgId, groupId }: Of,
  resource: object,
  at: Date,
): Promise<void> {
  await execute(
    transaction,
    `UPDATE scim_groups SET resource = $3, updated_at = $4, version = version + 1 WHERE org_id = $1 AND id = $2`,
    [orgId, groupId, JSON.stringify(resource), at],
  );
}
