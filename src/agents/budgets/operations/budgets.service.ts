import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { clampLimit, newId, PageIds, pageOf, parseUuid, storableText } from '../../../kernel/common';
import { isUniqueViolation } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { ValidationError } from '../../../kernel/validation';
import { AccountLocks, type PageQuery } from '../../../accounts/orgs';
import { BudgetMarks } from '../marks/budget-marks';
import { MAX_BUDGETS, periodEnd, periodStart } from '../record/budget';
import { Budget } from '../record/budget.entity';
import {
  BudgetExistsError,
  BudgetNotFoundError,
  BudgetSubjectNotFoundError,
  TooManyBudgetsError,
} from '../record/budgets.errors';
import type { BudgetCreate, BudgetPage, BudgetResponse, BudgetUpdate } from './budgets.dto';
import {
  BEGIN_BUDGET,
  BUDGET_OF_ORG,
  BUDGETS_OF_ORG,
  hasConversation,
  isMember,
  type ShownBudgetRow,
} from './budgets.read-model';

const PAGES = PageIds.byId('budgets');

const LIMITS = ['limit_usd', 'limit_tokens'] as const;

/** Budgets of organizations (docs/budgets.md). */
@Injectable()
export class BudgetsService {
  constructor(
    @InjectRepository(Budget) private readonly budgets: Repository<Budget>,
    private readonly locks: AccountLocks,
    private readonly marks: BudgetMarks,
    private readonly events: DomainEvents,
  ) {}

  /** A page of them, by id. @throws PageIdInvalidError */
  async list({ orgId }: OrgContext, query: PageQuery): Promise<BudgetPage> {
    const limit = clampLimit(query.limit);
    const rows = await BUDGETS_OF_ORG.rows(this.budgets.manager, [
      orgId,
      PAGES.read(query.page_id),
      limit + 1,
    ]);
    return pageOf(rows, limit, toResponse, ({ id }) => PAGES.write(id));
  }

  /** @throws BudgetNotFoundError */
  async get({ orgId }: OrgContext, text: string): Promise<BudgetResponse> {
    return toResponse(await this.find(this.budgets.manager, orgId, text));
  }

  /**
   * Makes a budget, which begins with what its period has had before it.
   * @throws ValidationError, BudgetSubjectNotFoundError, BudgetExistsError, TooManyBudgetsError
   */
  async create(caller: Caller, { orgId }: OrgContext, wanted: BudgetCreate): Promise<BudgetResponse> {
    const subject = subjectOf(wanted);
    if (wanted.limit_usd === null && wanted.limit_tokens === null) throw noLimit();
    const id = newId();
    try {
      return await this.budgets.manager.transaction(async (transaction) => {
        await this.locks.organization(transaction, orgId);
        const budgets = transaction.withRepository(this.budgets);
        if ((await budgets.countBy({ orgId })) >= MAX_BUDGETS) throw new TooManyBudgetsError();
        await this.checkSubject(transaction, orgId, wanted.scope, subject);
        await budgets.insert({
          id,
          orgId,
          scope: wanted.scope,
          subject,
          period: wanted.period,
          limitUsd: textOf(wanted.limit_usd),
          limitTokens: textOf(wanted.limit_tokens),
          softPercent: wanted.soft_percent,
          createdByUserId: caller.userId,
        });
        await BEGIN_BUDGET.rows(transaction, [id]);
        const made = await this.find(transaction, orgId, id);
        await this.events.publish(transaction, {
          kind: 'budget.created',
          ...about(orgId, made),
          user_id: caller.userId,
        });
        await this.marks.changed(transaction, id);
        return toResponse(await this.find(transaction, orgId, id));
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw new BudgetExistsError({ cause: error });
      throw error;
    }
  }

  /** Changes limits. @throws BudgetNotFoundError; ValidationError where a reason is needed, or no limit would be left */
  async update(
    caller: Caller,
    { orgId }: OrgContext,
    text: string,
    wanted: BudgetUpdate,
  ): Promise<BudgetResponse> {
    return this.budgets.manager.transaction(async (transaction) => {
      await this.lock(transaction, orgId, text);
      const before = await this.find(transaction, orgId, text);
      const after = {
        limit_usd: wanted.limit_usd === undefined ? before.limit_usd : wanted.limit_usd,
        limit_tokens: wanted.limit_tokens === undefined ? before.limit_tokens : wanted.limit_tokens,
        soft_percent: wanted.soft_percent === undefined ? before.soft_percent : wanted.soft_percent,
      };
      if (after.limit_usd === null && after.limit_tokens === null) throw noLimit();
      const isRaised = LIMITS.some((limit) => (after[limit] ?? Infinity) > (before[limit] ?? Infinity));
      if (isRaised && wanted.reason === null) throw noReason();
      const fields = ([...LIMITS, 'soft_percent'] as const).filter((name) => after[name] !== before[name]);
      if (fields.length === 0) return toResponse(before);
      await this.store(transaction, before.id, after, wanted.reason);
      await this.events.publish(transaction, {
        kind: 'budget.updated',
        ...about(orgId, { ...before, ...after }),
        user_id: caller.userId,
        fields,
      });
      await this.marks.changed(transaction, before.id);
      return toResponse(await this.find(transaction, orgId, text));
    });
  }

  /** Deletes a budget, with what was spent of it. @throws BudgetNotFoundError */
  async delete(caller: Caller, { orgId }: OrgContext, text: string): Promise<void> {
    await this.budgets.manager.transaction(async (transaction) => {
      await this.lock(transaction, orgId, text);
      const budget = await this.find(transaction, orgId, text);
      await transaction.withRepository(this.budgets).delete({ id: budget.id });
      await this.events.publish(transaction, {
        kind: 'budget.deleted',
        ...about(orgId, budget),
        user_id: caller.userId,
      });
    });
  }

  /** The reason is noted with each change that has one, even if it is the one before. */
  private async store(
    transaction: EntityManager,
    id: string,
    after: Pick<ShownBudgetRow, 'limit_usd' | 'limit_tokens' | 'soft_percent'>,
    reason: string | null,
  ): Promise<void> {
    const budgets = transaction.withRepository(this.budgets);
    if (reason !== null) await budgets.update({ id }, { reason: null });
    await budgets.update(
      { id },
      {
        limitUsd: textOf(after.limit_usd),
        limitTokens: textOf(after.limit_tokens),
        softPercent: after.soft_percent,
        updatedAt: () => 'now()',
        ...(reason !== null && { reason: storableText(reason) }),
      },
    );
  }

  private async lock(transaction: EntityManager, orgId: string, text: string): Promise<void> {
    const id = parseUuid(text);
    if (id === null) throw new BudgetNotFoundError();
    const lock = { mode: 'for_no_key_update' } as const;
    const budgets = transaction.withRepository(this.budgets);
    if ((await budgets.findOne({ where: { id, orgId }, select: { id: true }, lock })) === null)
      throw new BudgetNotFoundError();
  }

  private async find(manager: EntityManager, orgId: string, text: string): Promise<ShownBudgetRow> {
    const id = parseUuid(text);
    const [row] = id === null ? [] : await BUDGET_OF_ORG.rows(manager, [orgId, id]);
    if (row === undefined) throw new BudgetNotFoundError();
    return row;
  }

  private async checkSubject(
    transaction: EntityManager,
    orgId: string,
    scope: Budget['scope'],
    subject: string,
  ): Promise<void> {
    const isThere =
      scope === 'user'
        ? await isMember(transaction, orgId, subject)
        : scope !== 'conversation' || (await hasConversation(transaction, orgId, subject));
    if (!isThere) throw new BudgetSubjectNotFoundError();
  }
}

/** The subject of a budget as it is stored. @throws ValidationError */
function subjectOf({ scope, subject }: BudgetCreate): string {
  if (scope === 'organization') {
    if (subject !== null) throw invalid('subject', 'the organization needs no subject', subject);
    return '';
  }
  if (subject === null) throw invalid('subject', `a budget of a ${scope} needs a subject`, null);
  if (scope === 'user' || scope === 'conversation') {
    const id = parseUuid(subject);
    if (id === null) throw invalid('subject', 'the subject is to be an id', subject);
    return id;
  }
  if (scope === 'tag' && !/^[^:]+:/.test(subject))
    throw invalid('subject', 'a tag is written as name:value', subject);
  return storableText(subject);
}

function noLimit(): ValidationError {
  return invalid('limit_usd', 'a budget needs a limit in dollars or in tokens', null);
}

function noReason(): ValidationError {
  return invalid('reason', 'a limit is raised or removed with a reason', null);
}

function invalid(field: string, reason: string, input: unknown): ValidationError {
  const issue = { type: 'value_error', loc: ['body', field], msg: `Value error, ${reason}`, input };
  return new ValidationError([issue], { status: 422, plain: true });
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

function toResponse(row: ShownBudgetRow): BudgetResponse {
  const { period, now } = row;
  return {
    id: row.id,
    scope: row.scope,
    subject: row.subject === '' ? null : row.subject,
    user_email: row.user_email,
    period,
    limit_usd: row.limit_usd,
    limit_tokens: row.limit_tokens,
    soft_percent: row.soft_percent,
    spent_usd: row.spent_usd,
    spent_tokens: row.spent_tokens,
    reserved_usd: row.reserved_usd,
    reserved_tokens: row.reserved_tokens,
    period_start: period === 'total' ? null : periodStart(period, now),
    resets_at: periodEnd(period, now)?.toISOString() ?? null,
    soft_reached_at: row.soft_reached_at?.toISOString() ?? null,
    exhausted_at: row.exhausted_at?.toISOString() ?? null,
    created_by_user_id: row.created_by_user_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function textOf(amount: number | null): string | null {
  return amount === null ? null : String(amount);
}
