import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../kernel/auth';
import { MaxJsonBytes } from '../../../kernel/database';
import { MAX_RESOURCE_BYTES } from './limits';

/** A group of which the directory of an organization tells, and the role that its members get. */
@Entity('scim_groups')
@Index('scim_groups_display_name', { synchronize: false })
@Index('scim_groups_created_at', ['orgId', 'createdAt', 'id'])
@Index('scim_groups_own_role_id', ['ownRoleId'], { where: 'own_role_id IS NOT NULL' })
@Check('scim_groups_role', `role IN ('member', 'admin', 'owner')`)
@Check('scim_groups_own_role_rank', `own_role_id IS NULL OR role = 'member'`)
export class ScimGroup {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'scim_groups_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** Without its members. */
  @Column('jsonb')
  @MaxJsonBytes(MAX_RESOURCE_BYTES)
  resource!: object;

  /** What its members are at least; null where the group says nothing of it. */
  @Column('text', { nullable: true })
  role!: Role | null;

  /** The organization's own role that its members have, with the rank in `role`. */
  @Column('uuid', { nullable: true })
  @ForeignKey('OrgRole', { name: 'scim_groups_own_role_id_fkey', onDelete: 'SET NULL' })
  ownRoleId!: string | null;

  @Column('integer', { default: 1 })
  version!: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
