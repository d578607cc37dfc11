import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { MAX_REASON } from './text-limits';

@Entity('message_queues')
@Check('message_queues_belongs', '(conversation_id IS NULL) <> (early_key IS NULL)')
@Check('message_queues_placed', 'early_key IS NULL OR org_id IS NOT NULL')
@Index('message_queues_conversation_id_key', ['conversationId'], { unique: true })
@Index('message_queues_user_org_early_key', ['userId', 'orgId', 'earlyKey'], { unique: true })
@Index('message_queues_claimed', { synchronize: false })
@Index('message_queues_early', { synchronize: false })
export class MessageQueue {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'message_queues_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('Conversation', { name: 'message_queues_conversation_id_fkey', onDelete: 'CASCADE' })
  conversationId!: string | null;

  @Column('text', {
    nullable: true,
    comment: 'the id under which messages came before there was a conversation',
  })
  @MaxCharacters(128)
  earlyKey!: string | null;

  @Column('uuid', {
    nullable: true,
    comment: 'the organization in which messages came before there was a conversation',
  })
  @ForeignKey('Organization', { name: 'message_queues_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  /** Why its conversation can never run again; nothing is taken or delivered any more. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_REASON)
  closedReason!: string | null;

  @Column('bigint', { default: 0 })
  lastRank!: string;

  /** The fencing number of the run that delivers from it, or did so last. */
  @Column('bigint', { default: 0 })
  fence!: string;

  /** Until when that run is sure to be the only one, unless it renews its lease. */
  @Column({ name: 'claimed_until', type: 'timestamptz', precision: 3, nullable: true })
  leasedUntil!: Date | null;

  @Column('boolean', {
    default: false,
    comment: 'somebody wanted a run while there was one, which then must not pause',
  })
  woken!: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextAttemptAt!: Date | null;

  /** Failures in a row, for the back-off. */
  @Column('integer', { default: 0 })
  failures!: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
