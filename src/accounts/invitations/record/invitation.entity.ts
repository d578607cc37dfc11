import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import type { Role } from '../../../kernel/auth';

/** Most characters of the outcome of sending a mail; longer ones are cut. */
export const MAX_MAIL_DETAIL = 1_000;

/** What is stored of an invitation's state; `expired` follows from the time. */
type StoredStatus = 'pending' | 'accepted' | 'revoked';

/** The status of an invitation's email: `none` where no mail is configured. */
type MailStatus = 'none' | 'queued' | 'sent' | 'failed';

@Entity('invitations')
@Index('invitations_pending_key', ['orgId', 'email'], { unique: true, where: `status = 'pending'` })
@Index('invitations_token_digest_key', ['tokenDigest'], { unique: true })
@Index('invitations_inviter_user_id', ['inviterUserId'])
@Check('invitations_role', `role IN ('member', 'admin', 'owner')`)
@Check('invitations_status', `status IN ('pending', 'accepted', 'revoked')`)
@Check('invitations_mail_status', `mail_status IN ('none', 'queued', 'sent', 'failed')`)
export class Invitation {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'invitations_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  /** The address as it was checked, in lower case: the one that is mailed and has to accept. */
  @Column('text', { comment: 'lower case' })
  @MaxCharacters(320)
  email!: string;

  @Column('text')
  role!: Role;

  @Column('text', { default: 'pending' })
  status!: StoredStatus;

  /** Raised by every renewal, so that earlier links stop working. */
  @Column('integer', { comment: 'raised by every renewal: earlier links stop working' })
  generation!: number;

  /** SHA-256 of the token, in hexadecimal: all that is stored of it. */
  @Column({ type: 'character', length: 64 })
  tokenDigest!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'invitations_inviter_user_id_fkey', onDelete: 'CASCADE' })
  inviterUserId!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  acceptedAt!: Date | null;

  @Column('text')
  mailStatus!: MailStatus;

  /** Why the email is delayed or was not sent. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_MAIL_DETAIL)
  mailDetail!: string | null;
}

/**
 * A call that invited or mailed again: what the limits of invitations (docs/contract.md#invitation-limits)
 * count.
 */
@Entity('invitation_calls')
@Index('invitation_calls_org_called', ['orgId', 'calledAt'])
@Index('invitation_calls_inviter_called', ['inviterUserId', 'calledAt'])
@Index('invitation_calls_called_at', ['calledAt'])
export class InvitationCall {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'invitation_calls_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'invitation_calls_inviter_user_id_fkey', onDelete: 'CASCADE' })
  inviterUserId!: string;

  /** How many addresses it invited. */
  @Column('integer')
  addresses!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  calledAt!: Date;
}

/** A six-digit code that was emailed to an invited address, to prove that the address is theirs. */
@Entity('invitation_codes')
@Index('invitation_codes_email_created', ['email', 'createdAt'])
@Index('invitation_codes_invitation_id', ['invitationId'])
@Index('invitation_codes_created_at', ['createdAt'])
export class InvitationCode {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('integer')
  @ForeignKey(() => Invitation, { name: 'invitation_codes_invitation_id_fkey', onDelete: 'CASCADE' })
  invitationId!: number;

  @Column('integer')
  generation!: number;

  /** The address it went to: requests for codes are counted by it. */
  @Column('text')
  @MaxCharacters(320)
  email!: string;

  /** HMAC of the code: a plain digest of six digits could be reversed. */
  @Column({ type: 'character', length: 64 })
  digest!: string;

  @Column('integer', { default: 0 })
  tries!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt!: Date | null;
}
