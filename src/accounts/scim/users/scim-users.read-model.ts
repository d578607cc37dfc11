import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import { FilterCondition, type OwnColumns } from '../filter/filter-condition.query';
import type { Libraries } from '../protocol/libraries';
import type { ListRequest } from '../protocol/list-request';
import { MAX_SHOWN_GROUPS } from '../record/limits';
import type { Resource, ScimUser } from '../record/scim-user.entity';
import { USERS } from '../schema/attributes';

/** A person with their account, as the directory is shown them. */
export interface ScimUserRow extends ColumnsOf<
  ScimUser,
  'id' | 'email' | 'version' | 'createdAt' | 'updatedAt'
> {
  readonly resource: Resource;
  /** What the directory said last. */
  readonly wanted: boolean;
  /** Whether they are a member, and the directory has them as active. */
  readonly active: boolean;
  /** Null where there is no account with the address any more. */
  readonly user_id: string | null;
  readonly is_member: boolean;
  readonly groups: readonly { readonly value: string; readonly display: string }[];
}

const ACTIVE = '(s.active AND m.user_id IS NOT NULL)';

const GROUPS = `scim_group_members gm WHERE gm.org_id = s.org_id AND gm.scim_user_id = s.id`;

const COLUMNS: OwnColumns = {
  terms: {
    id: { sql: 's.id::text', type: 'exact' },
    active: { sql: ACTIVE, type: 'boolean' },
    'meta.created': { sql: 's.created_at', type: 'time' },
    'meta.lastmodified': { sql: 's.updated_at', type: 'time' },
  },
  lists: { groups: { from: GROUPS, value: 'gm.group_id::text' } },
};

const FROM = `scim_users s
       LEFT JOIN users u ON u.email = s.email
       LEFT JOIN org_members m ON m.org_id = s.org_id AND m.user_id = u.id`;

const SELECT = `SELECT s.id, s.email, s.resource, s.version, s.created_at, s.updated_at, s.active AS wanted,
            ${ACTIVE} AS active, u.id AS user_id, m.user_id IS NOT NULL AS is_member, g.groups
       FROM ${FROM}
       CROSS JOIN LATERAL (
         SELECT coalesce(json_agg(json_build_object('value', id, 'display', name) ORDER BY name, id), '[]') AS groups
           FROM (SELECT g.id, g.resource->>'displayName' AS name
                   FROM scim_group_members gm JOIN scim_groups g ON g.org_id = gm.org_id AND g.id = gm.group_id
                  WHERE gm.org_id = s.org_id AND gm.scim_user_id = s.id
                  ORDER BY name, g.id LIMIT ${MAX_SHOWN_GROUPS}) few) g`;

/** A person of the organization's directory. By hand: record, account and membership in one statement. */
export function selectUser(database: SqlRunner, orgId: string, id: string): Promise<ScimUserRow | null> {
  return queryRow(database, `${SELECT} WHERE s.org_id = $1 AND s.id = $2 AND s.deleted_at IS NULL`, [
    orgId,
    id,
  ]);
}

/** A page of people, and how many there are in all. By hand for the same reason. */
export async function selectUsers(
  database: SqlRunner,
  orgId: string,
  { filter, startIndex, count }: ListRequest,
  libraries: Pick<Libraries, 'parse'>,
): Promise<{ readonly rows: readonly ScimUserRow[]; readonly total: number }> {
  const parameters: unknown[] = [orgId];
  const condition =
    filter === null ? 'true' : new FilterCondition(USERS, COLUMNS, parameters).of(filter, libraries);
  const where = `WHERE s.org_id = $1 AND s.deleted_at IS NULL AND ${condition}`;
  const counted = await queryRow<{ total: number }>(
    database,
    `SELECT count(*)::int AS total FROM ${FROM} ${where}`,
    parameters,
  );
  const total = counted?.total ?? 0;
  if (count === 0 || startIndex > total) return { rows: [], total };
  const rows = await queryRows<ScimUserRow>(
    database,
    // Groups are read for the page alone, and not for all that it leaves behind.
    `${SELECT} WHERE s.org_id = $1 AND s.id IN (
       SELECT s.id FROM ${FROM} ${where} ORDER BY s.created_at, s.id LIMIT ${count} OFFSET ${startIndex - 1})
     ORDER BY s.created_at, s.id`,
    parameters,
  );
  return { rows, total };
}

/** What stands in the way of a new person: another one with their name or address, or the cap. */
export interface Conflicts {
  readonly same_name: boolean;
  readonly same_email: boolean;
  readonly people: number;
}

/** By hand: all of it in one statement, for each person that is provisioned. */
export function selectConflicts(
  database: SqlRunner,
  orgId: string,
  { userName, email }: { readonly userName: string; readonly email: string },
): Promise<Conflicts | null> {
  return queryRow(
    database,
    `SELECT EXISTS (SELECT FROM scim_users WHERE org_id = $1 AND deleted_at IS NULL
                       AND lower(resource->>'userName') = lower($2)) AS same_name,
            EXISTS (SELECT FROM scim_users WHERE org_id = $1 AND email = $3 AND deleted_at IS NULL) AS same_email,
            (SELECT count(*)::int FROM scim_users WHERE org_id = $1) AS people`,
    [orgId, userName, email],
  );
}
