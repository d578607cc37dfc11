import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { newId, storableText } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { BudgetMarks } from '../marks/budget-marks';
import { type BudgetPeriod, type BudgetScope, MAX_BUDGETS } from '../record/budget';
import { Budget } from '../record/budget.entity';
import { BudgetNotFoundError, TooManyBudgetsError } from '../record/budgets.errors';
import {
  BEGIN_BUDGET,
  BEGIN_IN_PLACE_OF,
  BUDGET_OF_ORG,
  type BudgetLimits,
  type ShownBudgetRow,
} from './budgets.read-model';

/** Who changes budgets, and whose. */
export interface Manager {
  readonly userId: string;
  readonly orgId: string;
}

/** What a budget is made with. */
export interface NewBudget extends BudgetLimits {
  readonly scope: BudgetScope;
  /** As it is stored: empty for the organization and for each user. */
  readonly subject: string;
  readonly period: BudgetPeriod;
}

const CHANGED = ['limit_usd', 'limit_tokens', 'soft_percent', 'enabled'] as const;

/** Changes of budgets, each with what it has to tell and to count, in the caller's transaction. */
@Injectable()
export class BudgetChanges {
  constructor(
    @InjectRepository(Budget) private readonly budgets: Repository<Budget>,
    private readonly marks: BudgetMarks,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Makes a budget, which begins with what its period has had, of an organization that the transaction has locked.
   * @throws TooManyBudgetsError; the database's own error where there is one of the same scope, subject and period
   */
  async make(
    transaction: EntityManager,
    { userId, orgId }: Manager,
    wanted: NewBudget,
  ): Promise<ShownBudgetRow> {
    const budgets = transaction.withRepository(this.budgets);
    if ((await budgets.countBy({ orgId })) >= MAX_BUDGETS) throw new TooManyBudgetsError();
    const id = newId();
    const { scope, subject, period, enabled } = wanted;
    await budgets.insert({
      id,
      orgId,
      scope,
      subject,
      period,
      enabled,
      createdByUserId: userId,
      ...columnsOf(wanted),
    });
    if (enabled) await BEGIN_BUDGET.rows(transaction, [id]);
    const made = await this.read(transaction, orgId, id);
    await this.events.publish(transaction, {
      kind: 'budget.created',
      ...about(orgId, made),
      user_id: userId,
    });
    await this.marks.changed(transaction, id);
    return this.read(transaction, orgId, id);
  }

  /**
   * Changes a budget that the transaction has locked; nothing where it is so already. One that is enabled again begins again with
   * what its period has had.
   * @param reason noted with each change that has one, even if it is the one before
   */
  async change(
    transaction: EntityManager,
    { userId, orgId }: Manager,
    before: ShownBudgetRow,
    after: BudgetLimits,
    reason: string | null,
  ): Promise<ShownBudgetRow> {
    const fields = CHANGED.filter((name) => after[name] !== before[name]);
    if (fields.length === 0) return before;
    const { id } = before;
    const budgets = transaction.withRepository(this.budgets);
    if (reason !== null) await budgets.update({ id }, { reason: null });
    await budgets.update(
      { id },
      {
        ...columnsOf(after),
        enabled: after.enabled,
        updatedAt: () => 'now()',
        ...(reason !== null && { reason: storableText(reason) }),
      },
    );
    if (after.enabled && !before.enabled) await BEGIN_BUDGET.rows(transaction, [id]);
    await this.events.publish(transaction, {
      kind: 'budget.updated',
      ...about(orgId, { ...before, ...after }),
      user_id: userId,
      fields,
    });
    await this.marks.changed(transaction, id);
    return this.read(transaction, orgId, id);
  }

  /**
   * Deletes a budget that the transaction has locked, with what was spent of it. Where a user's own took the place of that for each
   * user, this counts for them again, with what its period has had.
   */
  async remove(
    transaction: EntityManager,
    { userId, orgId }: Manager,
    budget: ShownBudgetRow,
  ): Promise<void> {
    const { id, scope, subject } = budget;
    const [next] = scope === 'user' ? await BEGIN_IN_PLACE_OF.rows(transaction, [id]) : [];
    await transaction.withRepository(this.budgets).delete({ id });
    await this.events.publish(transaction, {
      kind: 'budget.deleted',
      ...about(orgId, budget),
      user_id: userId,
    });
    if (typeof next?.for_each === 'string') await this.marks.changed(transaction, next.for_each, subject);
  }

  /** @throws BudgetNotFoundError */
  async read(manager: EntityManager, orgId: string, id: string): Promise<ShownBudgetRow> {
    const [row] = await BUDGET_OF_ORG.rows(manager, [orgId, id]);
    if (row === undefined) throw new BudgetNotFoundError();
    return row;
  }
}

function columnsOf({ limit_usd, limit_tokens, soft_percent }: BudgetLimits) {
  return { limitUsd: textOf(limit_usd), limitTokens: textOf(limit_tokens), softPercent: soft_percent };
}

function about(orgId: string, row: ShownBudgetRow) {
  return {
    org_id: orgId,
    budget_id: row.id,
    scope: row.scope,
    subject: row.subject === '' ? null : row.subject,
    period: row.period,
    limit_usd: row.limit_usd,
    limit_tokens: row.limit_tokens,
  };
}

function textOf(amount: number | null): string | null {
  return amount === null ? null : String(amount);
}
