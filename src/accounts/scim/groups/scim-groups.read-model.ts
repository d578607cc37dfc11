import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import { FilterCondition, type OwnColumns } from '../filter/filter-condition.query';
import type { Libraries } from '../protocol/libraries';
import type { ListRequest } from '../protocol/list-request';
import type { ScimGroup } from '../record/scim-group.entity';
import type { Resource } from '../record/scim-user.entity';
import { GROUPS } from '../schema/attributes';

/** A group without its members. */
export interface ScimGroupRow extends ColumnsOf<
  ScimGroup,
  'id' | 'role' | 'ownRoleId' | 'version' | 'createdAt' | 'updatedAt'
> {
  readonly resource: Resource;
  readonly members: number;
}

const COLUMNS: OwnColumns = {
  terms: {
    id: { sql: 's.id::text', type: 'exact' },
    'meta.created': { sql: 's.created_at', type: 'time' },
    'meta.lastmodified': { sql: 's.updated_at', type: 'time' },
  },
  lists: {
    members: {
      from: 'scim_group_members gm WHERE gm.org_id = s.org_id AND gm.group_id = s.id',
      value: 'gm.scim_user_id::text',
    },
  },
};

const SELECT = `SELECT s.id, s.resource, s.role, s.own_role_id, s.version, s.created_at, s.updated_at,
            (SELECT count(*)::int FROM scim_group_members gm
              WHERE gm.org_id = s.org_id AND gm.group_id = s.id) AS members
       FROM scim_groups s`;

/** A group of the organization's directory. By hand: its members are counted with it. */
export function selectGroup(database: SqlRunner, orgId: string, id: string): Promise<ScimGroupRow | null> {
  return queryRow(database, `${SELECT} WHERE s.org_id = $1 AND s.id = $2`, [orgId, id]);
}

/** A page of groups, and how many there are in all. By hand for the same reason. */
export async function selectGroups(
  database: SqlRunner,
  orgId: string,
  { filter, startIndex, count }: ListRequest,
  libraries: Pick<Libraries, 'parse'>,
): Promise<{ readonly rows: readonly ScimGroupRow[]; readonly total: number }> {
  const parameters: unknown[] = [orgId];
  const condition =
    filter === null ? 'true' : new FilterCondition(GROUPS, COLUMNS, parameters).of(filter, libraries);
  const where = `WHERE s.org_id = $1 AND ${condition}`;
  const counted = await queryRow<{ total: number }>(
    database,
    `SELECT count(*)::int AS total FROM scim_groups s ${where}`,
    parameters,
  );
  const total = counted?.total ?? 0;
  if (count === 0 || startIndex > total) return { rows: [], total };
  const rows = await queryRows<ScimGroupRow>(
    database,
    `${SELECT} ${where} ORDER BY s.created_at, s.id LIMIT ${count} OFFSET ${startIndex - 1}`,
    parameters,
  );
  return { rows, total };
}

/** A page of groups by their ids, for those who decide on their roles. By hand for the same reason. */
export function selectGroupsFrom(
  database: SqlRunner,
  orgId: string,
  { from, limit }: { readonly from: string | null; readonly limit: number },
): Promise<ScimGroupRow[]> {
  return queryRows(
    database,
    `${SELECT} WHERE s.org_id = $1 AND ($2::uuid IS NULL OR s.id >= $2) ORDER BY s.id LIMIT $3`,
    [orgId, from, limit],
  );
}

/** A person in a group. */
export interface ShownMember {
  readonly group_id: string;
  readonly value: string;
}

/** The people in groups. By hand: ids alone, of thousands. */
export async function selectMembers(
  database: SqlRunner,
  orgId: string,
  groupIds: readonly string[],
): Promise<ShownMember[]> {
  return queryRows(
    database,
    `SELECT group_id, scim_user_id AS value FROM scim_group_members
      WHERE org_id = $1 AND group_id = ANY ($2::uuid[])
      ORDER BY scim_user_id`,
    [orgId, groupIds],
  );
}

/** How many groups the directory of an organization has. By hand: they are counted. */
export async function countGroups(database: SqlRunner, orgId: string): Promise<number> {
  const row = await queryRow<{ groups: number }>(
    database,
    `SELECT count(*)::int AS groups FROM scim_groups WHERE org_id = $1`,
    [orgId],
  );
  return row?.groups ?? 0;
}
