import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** All zeros: of budgets that are not one for each user. */
export const NO_USER = '00000000-0000-0000-0000-000000000000';

/** What is spent of a budget in one period, and what the calls under way may cost; of one for each user, by one of them. */
@Entity('budget_spending')
@Index('budget_spending_unmarked', ['periodStart'], { where: 'exhausted_at IS NULL' })
@Check(
  'budget_spending_amounts',
  'spent_usd >= 0 AND spent_tokens >= 0 AND reserved_usd >= 0 AND reserved_tokens >= 0',
)
export class BudgetSpending {
  @PrimaryColumn('uuid')
  @ForeignKey('Budget', { name: 'budget_spending_budget_id_fkey', onDelete: 'CASCADE' })
  budgetId!: string;

  @PrimaryColumn('uuid', {
    default: NO_USER,
    comment: 'whose spending it is, of a budget of each user; all zeros for any other',
  })
  userId!: string;

  @PrimaryColumn('date', { comment: 'the first day, UTC; 1970-01-01 for a budget without an end' })
  periodStart!: string;

  /** The driver gives such numbers as text. */
  @Column('numeric', { default: 0 })
  spentUsd!: string;

  @Column('numeric', { default: 0 })
  spentTokens!: string;

  @Column('numeric', { default: 0, comment: 'the most that the calls under way may cost' })
  reservedUsd!: string;

  @Column('numeric', { default: 0 })
  reservedTokens!: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  softReachedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  exhaustedAt!: Date | null;

  @Column('timestamptz', {
    default: '-infinity',
    comment: 'when it was set to what the period had had; what was reported before that is in it',
  })
  begunAt!: Date;
}
