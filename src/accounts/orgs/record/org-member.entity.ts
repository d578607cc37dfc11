import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../kernel/auth';

@Entity('org_members')
@Index('org_members_user_id', ['userId'])
@Index('org_members_own_role_id', ['ownRoleId'], { where: 'own_role_id IS NOT NULL' })
@Check('org_members_own_role_rank', `own_role_id IS NULL OR role = 'member'`)
@Check('org_members_role', `role IN ('member', 'admin', 'owner')`)
export class OrgMember {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'org_members_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('User', { name: 'org_members_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  role!: Role;

  /** The organization's own role that the member has, with its permissions in place of those of `role`, which is their rank. */
  @Column('uuid', { nullable: true })
  @ForeignKey('OrgRole', { name: 'org_members_own_role_id_fkey' })
  ownRoleId!: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
