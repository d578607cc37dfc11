import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters, OneOf } from '../../../kernel/database';
import {
  BUDGET_PERIODS,
  BUDGET_SCOPES,
  type BudgetPeriod,
  type BudgetScope,
  MAX_REASON,
  MAX_SUBJECT,
} from './budget';

/** What may be spent on models, of whom or what, in which period. */
@Entity('budgets')
@Index('budgets_key', ['orgId', 'scope', 'subject', 'period'], { unique: true })
@Check('budgets_subject', `(scope IN ('organization', 'each_user')) = (subject = '')`)
@Check(
  'budgets_limited',
  `limit_usd IS NOT NULL OR limit_tokens IS NOT NULL OR scope IN ('organization', 'user')`,
)
@Check('budgets_limit_usd', 'limit_usd BETWEEN 0 AND 1000000000')
@Check('budgets_limit_tokens', `limit_tokens BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}`)
@Check('budgets_soft_percent', 'soft_percent BETWEEN 1 AND 100')
export class Budget {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'budgets_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('text')
  @OneOf(BUDGET_SCOPES)
  scope!: BudgetScope;

  /** Empty for the organization, and for each user. */
  @Column('text', {
    comment:
      'id of the user or conversation, the repository, or the tag as name:value; empty for the organization and each user',
  })
  @MaxCharacters(MAX_SUBJECT)
  subject!: string;

  @Column('text')
  @OneOf(BUDGET_PERIODS)
  period!: BudgetPeriod;

  /** The driver gives such numbers as text. */
  @Column('numeric', { nullable: true })
  limitUsd!: string | null;

  @Column('bigint', { nullable: true })
  limitTokens!: string | null;

  /** Of the limits, from which on it is told that little is left; null for never. */
  @Column('integer', { nullable: true })
  softPercent!: number | null;

  @Column('boolean', { default: true, comment: 'whether it counts, and limits anything' })
  enabled!: boolean;

  @Column('text', { nullable: true, comment: 'why it was last raised' })
  @MaxCharacters(MAX_REASON)
  reason!: string | null;

  @Column('uuid')
  createdByUserId!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
