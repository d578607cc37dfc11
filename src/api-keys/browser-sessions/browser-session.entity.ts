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
import { MaxCharacters } from '../../database';
import { ApiKey } from '../keys/api-key.entity';

/** Most characters of what a browser says of itself; the rest is cut. */
export const MAX_USER_AGENT = 255;

/** A browser that signed in with a key; it ends with the key. */
@Entity('browser_sessions')
@Index('browser_sessions_digest_key', ['digest'], { unique: true })
@Index('browser_sessions_api_key_id', ['apiKeyId'])
export class BrowserSession {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  /** The key it was started with, whose user and binding it has. */
  @Column('integer')
  apiKeyId!: number;

  @ManyToOne(() => ApiKey, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'api_key_id', foreignKeyConstraintName: 'browser_sessions_api_key_id_fkey' })
  apiKey!: Relation<ApiKey>;

  /** SHA-256 of the session's token, in hexadecimal: all that is stored of it. */
  @Column({ type: 'character', length: 64 })
  digest!: string;

  /** What the browser said of itself, to recognize it by. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_USER_AGENT)
  userAgent!: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** To the hour. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date;
}
