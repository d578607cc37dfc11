import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxBytes, MaxCharacters } from '../../../kernel/database';
import { MAX_MARK, MAX_REASON } from './text-limits';
import type { MessageMode, MessageState } from './message.enums';

@Entity('pending_messages')
@Check('pending_messages_state', `state IN ('queued', 'delivering', 'delivered', 'failed', 'cancelled')`)
@Check('pending_messages_mode', `mode IN ('steer', 'after_run')`)
@Index('pending_messages_queue', ['queueId', 'rank'])
@Index('pending_messages_undelivered', { synchronize: false })
@Index('pending_messages_done', { synchronize: false })
@Index('pending_messages_done_org', { synchronize: false })
@Index('pending_messages_waiting', { synchronize: false })
export class PendingMessage {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('MessageQueue', { name: 'pending_messages_queue_id_fkey', onDelete: 'CASCADE' })
  queueId!: string;

  /** Written by a trigger. */
  @Column('uuid', {
    nullable: true,
    comment: 'of its queue, or the conversation of that; null for what was done before it was kept',
  })
  orgId!: string | null;

  /** Its place among the messages of the queue: lower ones are delivered first. */
  @Column('bigint')
  rank!: string;

  /** The first message of the conversation, which does not count towards the limit. */
  @Column('boolean', { default: false })
  isInitial!: boolean;

  @Column('text')
  @MaxCharacters(20)
  role!: string;

  @Column('text', { comment: 'the JSON text of the content blocks, as it came' })
  @MaxBytes(20 * 1024 * 1024)
  content!: string;

  @Column('boolean')
  run!: boolean;

  @Column('text', { default: 'queued' })
  state!: MessageState;

  @Column('text', { default: 'steer' })
  mode!: MessageMode;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('boolean', {
    default: false,
    comment: 'the conversation was stopped while it was on its way: it is not tried again',
  })
  stopped!: boolean;

  @Column('text', { nullable: true })
  @MaxCharacters(2 * MAX_REASON)
  lastError!: string | null;

  @Column('text', {
    nullable: true,
    comment: 'the last event of the conversation before the message was sent',
  })
  @MaxCharacters(MAX_MARK)
  markEventId!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deliveredAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failedAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
