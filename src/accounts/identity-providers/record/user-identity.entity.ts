import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { MAX_SUBJECT } from './limits';

/** Which user somebody is whom a provider knows. */
@Entity('user_identities')
@Index('user_identities_user_key', ['userId', 'providerId'], { unique: true })
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
}
