import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters, OneOf } from '../../../kernel/database';
import { VERIFIED_BY } from './identity-domain.enums';
import { MAX_DOMAIN } from './limits';

/** A domain of mail addresses that an organization says is its own (docs/sign-in-providers.md#domains). */
@Entity('identity_domains')
@Index('identity_domains_verified_key', ['domain'], { unique: true, where: 'verified_at IS NOT NULL' })
export class IdentityDomain {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'identity_domains_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  /** In lower case, and in the letters of DNS. */
  @PrimaryColumn('text')
  @MaxCharacters(MAX_DOMAIN)
  domain!: string;

  /** What its DNS has to say. */
  @Column('text')
  @MaxCharacters(64)
  token!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Null while only the organization says so; of one domain, one organization's is verified. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  verifiedAt!: Date | null;

  @Column('text', { nullable: true })
  @OneOf(VERIFIED_BY)
  verifiedBy!: (typeof VERIFIED_BY)[number] | null;
}
