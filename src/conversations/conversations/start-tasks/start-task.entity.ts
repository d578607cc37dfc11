import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { MaxBytes, MaxCharacters, MaxJsonBytes, OneOf } from '../../../kernel/database';
import type { TraceContext } from '../../../kernel/telemetry';
import { START_TASK_STATUSES, type StartTaskStatus } from './start-task-status';
import { MAX_DETAIL, MAX_REQUEST_BYTES } from '../record/text-limits';

@Entity('start_tasks')
@Index('start_tasks_conversation_id_key', ['conversationId'], { unique: true })
@Index('start_tasks_user_created', { synchronize: false })
@Index('start_tasks_open_sandbox', { synchronize: false })
@Index('start_tasks_open_user', { synchronize: false })
@Index('start_tasks_open_org', { synchronize: false })
@Index('start_tasks_over', { synchronize: false })
export class StartTask {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'start_tasks_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'start_tasks_created_by_user_id_fkey', onDelete: 'CASCADE' })
  createdByUserId!: string;

  @Column('uuid')
  @ForeignKey('Conversation', { name: 'start_tasks_conversation_id_fkey', onDelete: 'CASCADE' })
  conversationId!: string;

  @Column('uuid')
  sandboxId!: string;

  @Column('text')
  @OneOf(START_TASK_STATUSES)
  status!: StartTaskStatus;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_DETAIL)
  detail!: string | null;

  @Column('text', { nullable: true })
  @MaxCharacters(2048)
  agentServerUrl!: string | null;

  /** The request as it came, with names instead of values where secrets were. */
  @Column('jsonb')
  @MaxJsonBytes(MAX_REQUEST_BYTES)
  request!: object;

  @Column({
    type: 'integer',
    select: false,
    insert: false,
    update: false,
    comment: 'of the request as text, kept by a trigger',
  })
  requestBytes!: number;

  /** The request's secrets, encrypted, until the conversation runs. */
  @Column('text', { nullable: true })
  @MaxBytes(8 * 1024 * 1024)
  sealedSecrets!: string | null;

  /** The trace of the request, where one is recorded: every run of the start is a part of it. */
  @Column('jsonb', { nullable: true })
  @MaxJsonBytes(2048)
  traceContext!: TraceContext | null;

  /** When the start counts as failed, whatever it waits for. */
  @Column({ type: 'timestamptz', precision: 3 })
  deadlineAt!: Date;

  /** The fencing number of the last run that wrote here: earlier runs can no longer change it. */
  @Column('bigint', { default: 0 })
  fence!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
