import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters, MaxJsonBytes } from '../../../kernel/database';
import { MAX_RESOURCE_BYTES } from './limits';

/** What a directory says of a person: by attribute, in the spelling of the schemas; by URI, what is of an extension. */
export type Resource = Record<string, unknown>;

/**
 * A person of whom the directory of an organization tells. Whose account it is, the address says, which never changes: an account
 * that its person takes over gets another id, and the same address.
 */
@Entity('scim_users')
@Index('scim_users_email_key', ['orgId', 'email'], { unique: true })
@Index('scim_users_user_name_key', { synchronize: false })
@Index('scim_users_external_id', { synchronize: false })
@Index('scim_users_created_at', ['orgId', 'createdAt', 'id'], { where: 'deleted_at IS NULL' })
@Check('scim_users_deleted', 'deleted_at IS NULL OR NOT active')
export class ScimUser {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'scim_users_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** Of the account, in lower case. */
  @Column('text')
  @MaxCharacters(320)
  email!: string;

  /** Whether the directory has the person as one who may come in. */
  @Column('boolean')
  active!: boolean;

  /** Empty once it is deleted. */
  @Column('jsonb')
  @MaxJsonBytes(MAX_RESOURCE_BYTES)
  resource!: object;

  @Column('integer', { default: 1 })
  version!: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  /** When the directory deleted them: what is left keeps the address out. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt!: Date | null;
}
