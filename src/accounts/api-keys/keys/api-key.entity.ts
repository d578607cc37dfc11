import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';

/** Longer names are cut. */
export const MAX_KEY_NAME = 255;

@Entity('api_keys')
@Index('api_keys_digest_key', ['digest'], { unique: true })
@Index('api_keys_user_id', ['userId'])
@Check('api_keys_scopes', 'cardinality(scopes) <= 100')
@Check('api_keys_address_ranges', 'cardinality(address_ranges) <= 100')
@Index('api_keys_made_by_user_id', ['madeByUserId'], { where: 'made_by_user_id IS NOT NULL' })
@Index('api_keys_let_in_by_user_id', ['letInByUserId'], { where: 'let_in_by_user_id IS NOT NULL' })
@Index('api_keys_identity_provider_id', ['identityProviderId'], {
  where: 'identity_provider_id IS NOT NULL',
})
export class ApiKey {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('uuid')
  @ForeignKey('User', { name: 'api_keys_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  /** The organization the key is bound to; null for a key that works in all of its user's organizations. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { name: 'api_keys_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_KEY_NAME)
  name!: string | null;

  /** The first characters of the key, to recognize it by. */
  @Column('text')
  @MaxCharacters(20)
  prefix!: string;

  /** SHA-256 of the key, in hexadecimal. The key itself is not stored. */
  @Column({ type: 'character', length: 64 })
  digest!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  notBefore!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** When it was replaced by another key, at whose side it works until `expiresAt`; null for one that was not. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  rotatedAt!: Date | null;

  /** Whether another service was given it, to act for its user (docs/contract.md#keys-for-other-services). */
  @Column('boolean', { default: false })
  isOfService!: boolean;

  /** The permissions that it can use at most; null for all that its user has. */
  @Column('text', { array: true, nullable: true })
  scopes!: string[] | null;

  /** The only addresses from which it counts, in CIDR notation; null for all. */
  @Column('text', { array: true, nullable: true })
  addressRanges!: string[] | null;

  /** The administrator whose link it stands for, or let in who made it (docs/contract.md#sign-in-links). */
  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'api_keys_let_in_by_user_id_fkey', onDelete: 'CASCADE' })
  letInByUserId!: string | null;

  /** The provider of identities that lets in whom it stands for; null for every other key. */
  @Column('uuid', { nullable: true })
  @ForeignKey('IdentityProvider', { name: 'api_keys_identity_provider_id_fkey', onDelete: 'CASCADE' })
  identityProviderId!: string | null;

  /** Of a key of a service account, who made it and answers for it: it does no more than they may. */
  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'api_keys_made_by_user_id_fkey', onDelete: 'CASCADE' })
  madeByUserId!: string | null;
}
