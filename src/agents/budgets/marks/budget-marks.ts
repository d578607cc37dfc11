import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { DomainEvents, type PublishedEvent } from '../../../kernel/domain-events';
import { periodEnd } from '../record/budget';
import {
  MARK_ANEW,
  MARK_REACHED,
  MARK_REFUSED,
  type MarkedRow,
  type SpendingKey,
  UNMARKED,
} from './budget-marks.query';

const AT_ONCE = 100;

/** Tells of limits that are reached: each once in a period, in the transaction that marks it (docs/budgets.md). */
@Injectable()
export class BudgetMarks {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** Marks the limits of budgets that are reached. */
  async reached(spending: readonly SpendingKey[]): Promise<void> {
    await this.mark(MARK_REACHED, spending);
  }

  /** A budget had no room for a call, because of what is spent. Nothing is marked if it has by now. */
  async refused(
    spending: SpendingKey,
    { mostCost, mostTokens }: { readonly mostCost: number; readonly mostTokens: number },
  ): Promise<void> {
    await this.mark(MARK_REFUSED, [spending], mostCost, mostTokens);
  }

  /** A budget was changed, or what is spent of it by one user, in a transaction that has it locked. */
  async changed(transaction: EntityManager, budgetId: string, userId: string | null = null): Promise<void> {
    await this.publish(transaction, await MARK_ANEW.rows(transaction, [budgetId, userId]));
  }

  /** Marks what nobody has marked who was to. */
  async catchUp(): Promise<void> {
    await this.reached(await UNMARKED.rows(this.database, [AT_ONCE]));
  }

  private async mark(
    statement: typeof MARK_REACHED,
    spending: readonly SpendingKey[],
    ...more: readonly number[]
  ): Promise<void> {
    if (spending.length === 0) return;
    const keys = [spending.map(({ budget_id }) => budget_id), spending.map(({ user_id }) => user_id)];
    await this.database.transaction(async (transaction) =>
      this.publish(transaction, await statement.rows(transaction, [...keys, ...more])),
    );
  }

  private async publish(transaction: EntityManager, rows: readonly MarkedRow[]): Promise<void> {
    const now = this.clock.now();
    const told = rows.flatMap((row): PublishedEvent[] => [
      ...(row.is_soft ? [{ kind: 'budget.soft_limit_reached' as const, ...aboutSpending(row, now) }] : []),
      ...(row.is_exhausted ? [{ kind: 'budget.exhausted' as const, ...aboutSpending(row, now) }] : []),
    ]);
    if (told.length > 0) await this.events.publish(transaction, ...told);
  }
}

function aboutSpending(row: MarkedRow, now: Date) {
  return {
    org_id: row.org_id,
    budget_id: row.id,
    scope: row.scope,
    subject: row.subject === '' ? null : row.subject,
    period: row.period,
    limit_usd: row.limit_usd,
    limit_tokens: row.limit_tokens,
    spent_usd: row.spent_usd,
    spent_tokens: row.spent_tokens,
    resets_at: periodEnd(row.period, now)?.toISOString() ?? null,
  };
}
