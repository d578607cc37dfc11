import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { MAX_EMAIL, MAX_NAME } from './text-limits';

@Entity('users')
@Index('users_trigrams', { synchronize: false })
@Index('users_email_key', ['email'], { unique: true })
export class User {
  @PrimaryColumn('uuid')
  id!: string;

  /** In lower case. */
  @Column('text', { comment: 'lower case' })
  @MaxCharacters(MAX_EMAIL)
  email!: string;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_NAME)
  name!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { name: 'users_current_org_id_fkey', onDelete: 'SET NULL' })
  currentOrgId!: string | null;

  /**
   * Set while the address is unverified: the user's keys work in that organization only
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

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
