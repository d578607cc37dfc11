import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import type { SandboxStatus } from './sandbox-view';

/** Most characters of a status detail; longer ones are cut. */
export const MAX_STATUS_DETAIL = 1000;

@Entity('sandboxes')
@Check('sandboxes_status', `status IN ('STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING')`)
@Check('sandboxes_stopping', `stopping IN ('pause', 'delete')`)
@Index('sandboxes_session_key_digest_key', ['sessionKeyDigest'], { unique: true })
@Index('sandboxes_owner', { synchronize: false })
@Index('sandboxes_active', { synchronize: false })
@Index('sandboxes_kept', { synchronize: false })
@Index('sandboxes_id_trigrams', { synchronize: false })
export class Sandbox {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'sandboxes_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'sandboxes_created_by_user_id_fkey', onDelete: 'CASCADE' })
  createdByUserId!: string;

  /** Whether somebody made it whom the link of an administrator had let in: nothing enters it that they do not get. */
  @Column('boolean', { default: false })
  byLink!: boolean;

  @Column('text')
  @MaxCharacters(100)
  driver!: string;

  @Column('text', { nullable: true, comment: 'null where any worker may run its jobs' })
  @MaxCharacters(255)
  hostId!: string | null;

  /** As callers see it: one that is being paused or deleted is PAUSED with `stopping`. */
  @Column('text')
  status!: SandboxStatus;

  @Column('text', { nullable: true, comment: 'what is being done to a sandbox that shows as PAUSED' })
  stopping!: 'pause' | 'delete' | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_STATUS_DETAIL)
  statusDetail!: string | null;

  /** With STARTING: whether the driver has started it, so that an exit now belongs to this start. */
  @Column('boolean', { default: false })
  launched!: boolean;

  @Column('integer', { nullable: true })
  port!: number | null;

  @Column('text', { nullable: true, comment: 'how the service reaches the agent server' })
  @MaxCharacters(2048)
  baseUrl!: string | null;

  @Column('integer', {
    nullable: true,
    comment: 'the user its agent server runs as, where a driver of this service started it',
  })
  listenerUid!: number | null;

  /** Null until it was first launched. */
  @Column('text', { nullable: true })
  @MaxCharacters(4096)
  workingDir!: string | null;

  @Column('text', { nullable: true })
  @MaxCharacters(1000)
  sealedSessionKey!: string | null;

  @Column('character', { length: 64, nullable: true })
  sessionKeyDigest!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  lastActivityAt!: Date;

  /** When a start, or the stop that `stopping` names, counts as failed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deadlineAt!: Date | null;

  /** Since when a running server leaves health checks unanswered. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  unansweredSince!: Date | null;

  @Column('boolean', { default: false, comment: 'paused with the service, to be resumed with it' })
  resumesWithHost!: boolean;

  /** The fencing token of the run that reconciles it or did so last. */
  @Column('bigint', { default: 0, transformer: { from: Number, to: (fence: unknown) => fence } })
  fence!: number;

  /** Until when that run owns it, unless it renews its lease. */
  @Column({ name: 'claimed_until', type: 'timestamptz', precision: 3, nullable: true })
  leasedUntil!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
