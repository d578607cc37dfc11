import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { ApiKey } from '../keys/api-key.entity';

/** Longer user agents are cut. */
export const MAX_USER_AGENT = 255;

/** Longer ones of providers are not taken. */
export const MAX_PROVIDER_SID = 255;

/** A browser signed in with a key; the session ends with the key. */
@Entity('browser_sessions')
@Index('browser_sessions_digest_key', ['digest'], { unique: true })
@Index('browser_sessions_api_key_id', ['apiKeyId'])
@Index('browser_sessions_provider_sid', ['providerSid'], { where: 'provider_sid IS NOT NULL' })
export class BrowserSession {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  /** The key it was started with; user and organization are the key's. */
  @Column('integer')
  apiKeyId!: number;

  @ManyToOne(() => ApiKey, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'api_key_id', foreignKeyConstraintName: 'browser_sessions_api_key_id_fkey' })
  apiKey!: Relation<ApiKey>;

  /** SHA-256 of the session's token, in hexadecimal. The token itself is not stored. */
  @Column({ type: 'character', length: 64 })
  digest!: string;

  /** The browser's user agent, to recognize the session by. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_USER_AGENT)
  userAgent!: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** To the hour. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date;

  /** When the credential that started it expires, which may be before its key does; null for never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  credentialExpiresAt!: Date | null;

  /** What the provider of identities that let its user in calls the session; null where it says nothing. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_PROVIDER_SID)
  providerSid!: string | null;

  /** When its person proved at a provider who they are, by its clock; the epoch where it does not say. Null for who did it here. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  authenticatedAt!: Date | null;
}
