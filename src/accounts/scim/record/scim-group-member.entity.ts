import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

const toOwn = { onDelete: 'CASCADE' } as const;

/** A person in a group, both of the same organization. */
@Entity('scim_group_members')
@Index('scim_group_members_user', ['orgId', 'scimUserId'])
@ForeignKey('ScimGroup', ['orgId', 'groupId'], ['orgId', 'id'], {
  name: 'scim_group_members_group_fkey',
  ...toOwn,
})
@ForeignKey('ScimUser', ['orgId', 'scimUserId'], ['orgId', 'id'], {
  name: 'scim_group_members_user_fkey',
  ...toOwn,
})
export class ScimGroupMember {
  @PrimaryColumn('uuid')
  orgId!: string;

  @PrimaryColumn('uuid')
  groupId!: string;

  @PrimaryColumn('uuid')
  scimUserId!: string;
}
