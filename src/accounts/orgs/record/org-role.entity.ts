import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { MAX_NAME } from './text-limits';

/** A role that an organization made of permissions, beside the three that all have; its members rank as `member`. */
@Entity('org_roles')
@Index('org_roles_name_key', { synchronize: false })
@Check('org_roles_permissions', 'cardinality(permissions) <= 100')
export class OrgRole {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'org_roles_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  /** Unique in its organization, whatever its case. */
  @Column('text')
  @MaxCharacters(MAX_NAME)
  name!: string;

  @Column('text', { array: true })
  permissions!: string[];

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
