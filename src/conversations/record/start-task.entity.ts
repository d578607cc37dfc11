import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import type { StartTaskStatus } from './start-task-status';

@Entity('start_tasks')
@Index('start_tasks_conversation_id_key', ['conversationId'], { unique: true })
@Index('start_tasks_user_created', { synchronize: false })
@Index('start_tasks_open_sandbox', { synchronize: false })
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
  status!: StartTaskStatus;

  @Column('text', { nullable: true })
  detail!: string | null;

  @Column('text', { nullable: true })
  agentServerUrl!: string | null;

  /** The request as it came, with names instead of values where secrets were. */
  @Column('jsonb')
  request!: object;

  /** The request's secrets, encrypted, until the conversation runs. */
  @Column('text', { nullable: true })
  sealedSecrets!: string | null;

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
