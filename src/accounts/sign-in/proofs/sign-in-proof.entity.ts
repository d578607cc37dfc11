import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';

/** A one-time credential: mailed to an address, or in the link of an administrator. */
@Entity('sign_in_proofs')
@Index('sign_in_proofs_token_digest_key', ['tokenDigest'], { unique: true })
@Index('sign_in_proofs_email_created', ['email', 'createdAt'])
@Index('sign_in_proofs_created_at', ['createdAt'])
@Index('sign_in_proofs_org_id', ['orgId'])
@Index('sign_in_proofs_user_id', ['userId'])
@Index('sign_in_proofs_made_by_user_id', ['madeByUserId'])
export class SignInProof {
  @PrimaryColumn('uuid')
  id!: string;

  /** The address; of a mailed proof as entered, so it may belong to nobody. */
  @Column('text', { comment: 'lower case' })
  @MaxCharacters(320)
  email!: string;

  /** The only organization that an administrator's link lets into. */
  @Column('uuid', {
    nullable: true,
    comment: 'where a link of an administrator lets in; null for a mailed proof',
  })
  @ForeignKey('Organization', { name: 'sign_in_proofs_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  /** Whom an administrator's link lets in. */
  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'sign_in_proofs_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'sign_in_proofs_made_by_user_id_fkey', onDelete: 'CASCADE' })
  madeByUserId!: string | null;

  /** SHA-256 of the link's token, in hexadecimal: all that is stored of it. */
  @Column({ type: 'character', length: 64 })
  tokenDigest!: string;

  /** HMAC of the mailed code: a plain digest of six digits could be reversed. */
  @Column({ type: 'character', length: 64, nullable: true })
  codeDigest!: string | null;

  /** The number of attempts to enter the code. */
  @Column('integer', { default: 0 })
  tries!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;

  /** When its mail was taken by the mail server. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt!: Date | null;
}
