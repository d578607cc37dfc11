import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';

/** The longest name that a client may have. */
export const MAX_CLIENT_NAME = 100;

/** Longer ones are cut. */
export const MAX_ADDRESS = 100;
export const MAX_USER_AGENT = 255;

/** A device that asked for a key, and what a person decided about it. It ends with the membership that it was approved for. */
@Entity('device_logins')
@Index('device_logins_device_code_digest_key', ['deviceCodeDigest'], { unique: true })
@Index('device_logins_user_code_digest_key', ['userCodeDigest'], { unique: true })
@Index('device_logins_counted_address', ['countedAddress'])
@Index('device_logins_expires_at', ['expiresAt'])
@Index('device_logins_user_id', ['userId'])
@Index('device_logins_api_key_id', ['apiKeyId'])
@Check('device_logins_scopes', 'cardinality(scopes) <= 100')
@ForeignKey('OrgMember', ['orgId', 'userId'], ['orgId', 'userId'], {
  name: 'device_logins_member_fkey',
  onDelete: 'CASCADE',
})
export class DeviceLogin {
  @PrimaryColumn('uuid')
  id!: string;

  /** SHA-256 of the code that the device has, in hexadecimal. */
  @Column({ type: 'character', length: 64 })
  deviceCodeDigest!: string;

  /** HMAC of the code that people type, in hexadecimal: a plain digest of eight letters could be reversed. */
  @Column({ type: 'character', length: 64 })
  userCodeDigest!: string;

  /** What the client calls itself; null for nothing. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_CLIENT_NAME)
  clientName!: string | null;

  /** The permissions that were asked for; null for all of whoever approves. */
  @Column('text', { array: true, nullable: true })
  scopes!: string[] | null;

  /** From where the device asked. */
  @Column('text')
  @MaxCharacters(MAX_ADDRESS)
  address!: string;

  /** By what logins are limited. */
  @Column('text')
  @MaxCharacters(MAX_ADDRESS)
  countedAddress!: string;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_USER_AGENT)
  userAgent!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  /** How long the device has to wait between two questions. */
  @Column('integer')
  intervalSeconds!: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastPolledAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  decidedAt!: Date | null;

  /** Null until somebody decides. */
  @Column('boolean', { nullable: true })
  isApproved!: boolean | null;

  /** Who decided. */
  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'device_logins_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string | null;

  /** The organization that the key is for, once it is approved; null for all of its person. */
  @Column('uuid', { nullable: true })
  orgId!: string | null;

  /** The key of the session in which it was approved; null when that is revoked. */
  @Column('integer', { nullable: true })
  @ForeignKey('ApiKey', { name: 'device_logins_api_key_id_fkey', onDelete: 'SET NULL' })
  apiKeyId!: number | null;

  /** When what its person was signed in with ends, which may be before that key does. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  credentialExpiresAt!: Date | null;

  /** When the device's key is to end; null for never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  keyExpiresAt!: Date | null;

  /** When the device got its key. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;
}

/** How many wrong codes a user entered, or an address did, in the minutes that end then. */
@Entity('device_code_tries')
export class DeviceCodeTries {
  @PrimaryColumn('text')
  @MaxCharacters(150)
  subject!: string;

  @Column('integer')
  count!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  endsAt!: Date;
}
