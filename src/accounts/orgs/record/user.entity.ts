import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import type { UserKind } from '../../../kernel/auth';
import { MAX_EMAIL, MAX_NAME } from './text-limits';

@Entity('users')
@Index('users_trigrams', { synchronize: false })
@Index('users_email_key', ['email'], { unique: true })
@Check('users_kind', `kind IN ('person', 'service_account')`)
@Check('users_address', `(kind = 'person' AND erased_at IS NULL) = (email IS NOT NULL)`)
@Check('users_erased', 'erased_at IS NULL OR (disabled_at IS NOT NULL AND name IS NULL)')
@Check('users_service_account', `kind = 'person' OR confined_to_org_id IS NOT NULL`)
export class User {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { default: 'person' })
  kind!: UserKind;

  /** In lower case; a service account has none, so that nobody can prove it to be theirs. */
  @Column('text', { nullable: true, comment: 'lower case' })
  @MaxCharacters(MAX_EMAIL)
  email!: string | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_NAME)
  name!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { name: 'users_current_org_id_fkey', onDelete: 'SET NULL' })
  currentOrgId!: string | null;

  /**
   * Set while the address is unverified, and for a service account: the user's keys work in that organization only
   * (docs/contract.md#accepting-an-invitation).
   */
  @Column('uuid', {
    nullable: true,
    comment: 'set while the address is unproved: keys work there only',
  })
  @ForeignKey('Organization', { name: 'users_confined_to_org_id_fkey', onDelete: 'CASCADE' })
  confinedToOrgId!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: Date | null;

  /** Set for a person who was erased: the row stays for the figures that are counted by it (docs/personal-data.md#erasure). */
  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    comment: 'the row stays for the figures that are counted by it',
  })
  erasedAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
