import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { MAX_SUBJECT } from './limits';

/** Which user somebody is whom a provider knows. */
@Entity('user_identities')
@Index('user_identities_user_key', ['userId', 'providerId'], { unique: true })
@Index('user_identities_bound_by_user_id', ['boundByUserId'], { where: 'bound_by_user_id IS NOT NULL' })
export class UserIdentity {
  @PrimaryColumn('uuid')
  @ForeignKey('IdentityProvider', { name: 'user_identities_provider_id_fkey', onDelete: 'CASCADE' })
  providerId!: string;

  /** The `sub` of the provider: it never changes, and nobody else gets it. */
  @PrimaryColumn('text')
  @MaxCharacters(MAX_SUBJECT)
  subject!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'user_identities_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** When the newest token was issued whose groups have been looked at; null for none. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimsIssuedAt!: Date | null;

  /** Access tokens issued until then ended with a sign-out at the provider; null where there was none. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  signedOutAt!: Date | null;

  /** Who has tokens of the subject act for a service account, and answers for them; null for a person's. */
  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'user_identities_bound_by_user_id_fkey', onDelete: 'CASCADE' })
  boundByUserId!: string | null;
}
