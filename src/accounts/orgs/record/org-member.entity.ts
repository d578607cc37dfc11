import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../kernel/auth';

@Entity('org_members')
@Index('org_members_user_id', ['userId'])
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

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
