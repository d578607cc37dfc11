import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { MAX_TOKEN_NAME } from './limits';

/** With which the directory of an organization tells of people and groups, and can do nothing else. */
@Entity('scim_tokens')
@Index('scim_tokens_digest_key', ['digest'], { unique: true })
@Index('scim_tokens_org_id', ['orgId'])
export class ScimToken {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'scim_tokens_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('text')
  @MaxCharacters(MAX_TOKEN_NAME)
  name!: string;

  /** The first characters of the token, to recognize it by. */
  @Column('text')
  @MaxCharacters(20)
  prefix!: string;

  /** SHA-256 of the token, in hexadecimal. The token itself is not stored. */
  @Column({ type: 'character', length: 64 })
  digest!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** To the minute. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;
}
