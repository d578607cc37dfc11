import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What is spent of a budget in one period, and what the calls under way may cost. */
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
}
