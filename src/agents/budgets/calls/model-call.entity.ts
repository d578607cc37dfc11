import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CALL_STATUSES, type CallStatus } from './call-status';
import { MaxCharacters, MaxJsonBytes, OneOf } from '../../../kernel/database';

/** The ledger: each call of a model. The driver gives 64-bit integers and `numeric` as text. */
@Entity('model_calls')
@Index('model_calls_org', ['orgId', 'at', 'id'])
@Index('model_calls_user', ['userId', 'at', 'id'])
@Index('model_calls_conversation', ['conversationId', 'at', 'id'])
@Index('model_calls_reserved', ['processId'], { where: `status = 'reserved'` })
@Check(
  'model_calls_amounts',
  `cost >= 0 AND prompt_tokens >= 0 AND completion_tokens >= 0 AND cache_read_tokens >= 0 AND cache_write_tokens >= 0
    AND reserved_usd >= 0 AND reserved_tokens >= 0`,
)
export class ModelCallRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'model_calls_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('uuid', { comment: 'which may be gone: no retention removes the row' })
  conversationId!: string;

  @Column('uuid')
  userId!: string;

  @Column('text', { nullable: true })
  @MaxCharacters(2_048)
  repository!: string | null;

  @Column('jsonb')
  @MaxJsonBytes(4_096)
  tags!: object;

  @Column('text')
  @MaxCharacters(255)
  model!: string;

  @Column('text')
  @MaxCharacters(255)
  provider!: string;

  @Column('text')
  @OneOf(CALL_STATUSES)
  status!: CallStatus;

  @Column('bigint', { default: 0 })
  promptTokens!: string;

  @Column('bigint', { default: 0 })
  completionTokens!: string;

  @Column('bigint', { default: 0 })
  cacheReadTokens!: string;

  @Column('bigint', { default: 0 })
  cacheWriteTokens!: string;

  @Column('numeric', { default: 0 })
  cost!: string;

  @Column('boolean', { default: false })
  usageReported!: boolean;

  @Column('integer', { nullable: true })
  httpStatus!: number | null;

  @Column('integer', { nullable: true })
  latencyMs!: number | null;

  @Column('integer', { nullable: true })
  firstByteMs!: number | null;

  @Column('numeric')
  reservedUsd!: string;

  @Column('bigint')
  reservedTokens!: string;

  @Column('uuid', { array: true, comment: 'in which budgets it was reserved' })
  budgetIds!: string[];

  @Column('uuid')
  processId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  settledAt!: Date | null;
}
