import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { clampLimit, PageIds, pageOf, parseUuid } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { GroupMembers } from '../groups/group-members';
import { type ScimGroupRow, selectGroup, selectGroupsFrom } from '../groups/scim-groups.read-model';
import { DirectoryChanges } from '../record/directory-changes';
import { ScimGroup } from '../record/scim-group.entity';
import { ScimGroupNotFoundError } from '../record/scim.errors';
import { GroupRoles } from '../roles/group-roles';
import { GrantableGroupRoles } from './grantable-group-roles';
import type { DirectoryGroupPage, DirectoryGroupResponse } from './directory-groups.dto';

const PAGES = PageIds.byId('scim-groups');

interface PageOf {
  readonly page_id: string | null;
  readonly limit: number;
}

/** The groups of an organization's directory, and what those in them are (docs/scim.md#groups). */
@Injectable()
export class DirectoryGroups {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(ScimGroup) private readonly groups: Repository<ScimGroup>,
    private readonly changes: DirectoryChanges,
    private readonly members: GroupMembers,
    private readonly roles: GroupRoles,
    private readonly grantable: GrantableGroupRoles,
    private readonly events: DomainEvents,
  ) {}

  /** A page of the groups, by id. @throws PageIdInvalidError */
  async list({ orgId }: OrgContext, query: PageOf): Promise<DirectoryGroupPage> {
    const limit = clampLimit(query.limit);
    const rows = await selectGroupsFrom(this.database, orgId, {
      from: PAGES.read(query.page_id),
      limit: limit + 1,
    });
    return pageOf(rows, limit, toResponse, (row) => PAGES.write(row.id));
  }

  /**
   * Says what the members of a group are at least; they get it at once.
   * @param text one of the three roles, the id of an own role, or null
   * @throws ScimGroupNotFoundError, GroupRoleInvalidError; NotAMemberError; RankTooLowError and RoleNotHeldError for a role above the
   *   caller's or their key's, in rank or in what it permits
   */
  async setRole(
    caller: Pick<Caller, 'userId'>,
    org: OrgContext,
    { group, role: text }: { readonly group: string; readonly role: string | null },
  ): Promise<DirectoryGroupResponse> {
    const { orgId } = org;
    const id = parseUuid(group);
    const changed = await this.changes.make(orgId, async (transaction) => {
      const row = id === null ? null : await selectGroup(transaction, orgId, id);
      if (row === null) throw new ScimGroupNotFoundError();
      const assigned = text === null ? null : await this.grantable.named(transaction, org, caller, text);
      const role = assigned?.role ?? null;
      const ownRoleId = assigned?.ownRoleId ?? null;
      if (role === row.role && ownRoleId === row.own_role_id) return row;
      await transaction.withRepository(this.groups).update({ orgId, id: row.id }, { role, ownRoleId });
      const people = await this.members.all(transaction, { orgId, groupId: row.id });
      await this.roles.apply(transaction, orgId, people);
      const after = { ...row, role, own_role_id: ownRoleId };
      await this.events.publish(transaction, {
        kind: 'scim_group.role_changed',
        org_id: orgId,
        scim_group_id: row.id,
        user_id: caller.userId,
        role: toResponse(after).role,
      });
      return after;
    });
    return toResponse(changed);
  }
}

function toResponse(row: ScimGroupRow): DirectoryGroupResponse {
  const { displayName } = row.resource;
  return {
    id: row.id,
    display_name: typeof displayName === 'string' ? displayName : '',
    members: row.members,
    role: row.own_role_id ?? row.role,
    created_at: row.created_at.toISOString(),
  };
}
