import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { clampLimit, PageIds, pageOf, parseUuid, storableText } from '../../../kernel/common';
import { isUniqueViolation } from '../../../kernel/database';
import { ValidationError } from '../../../kernel/validation';
import { AccountLocks, type PageQuery } from '../../../accounts/orgs';
import { periodEnd, periodStart } from '../record/budget';
import { Budget } from '../record/budget.entity';
import { BudgetExistsError, BudgetNotFoundError, BudgetSubjectNotFoundError } from '../record/budgets.errors';
import type { BudgetCreate, BudgetPage, BudgetResponse, BudgetUpdate } from './budgets.dto';
import { BudgetChanges } from './budget-changes';
import {
  type BudgetLimits,
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
    private readonly changes: BudgetChanges,
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
    return toResponse(await this.changes.read(this.budgets.manager, orgId, idIn(text)));
  }

  /**
   * Makes a budget, which begins with what its period has had before it.
   * @throws ValidationError, BudgetSubjectNotFoundError, BudgetExistsError, TooManyBudgetsError
   */
  async create(caller: Caller, { orgId }: OrgContext, wanted: BudgetCreate): Promise<BudgetResponse> {
    const subject = subjectOf(wanted);
    if (wanted.limit_usd === null && wanted.limit_tokens === null && wanted.scope !== 'user') throw noLimit();
    try {
      return await this.budgets.manager.transaction(async (transaction) => {
        await this.locks.organization(transaction, orgId);
        await this.checkSubject(transaction, orgId, wanted.scope, subject);
        const { scope, period, limit_usd, limit_tokens, soft_percent } = wanted;
        const limits = { limit_usd, limit_tokens, soft_percent, enabled: true };
        const by = { userId: caller.userId, orgId };
        return toResponse(await this.changes.make(transaction, by, { scope, subject, period, ...limits }));
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw new BudgetExistsError({ cause: error });
      throw error;
    }
  }

  /** @throws BudgetNotFoundError; ValidationError where a reason is needed, or no limit would be left */
  async update(
    caller: Caller,
    { orgId }: OrgContext,
    text: string,
    wanted: BudgetUpdate,
  ): Promise<BudgetResponse> {
    return this.budgets.manager.transaction(async (transaction) => {
      await this.locks.organization(transaction, orgId);
      const before = await this.locked(transaction, orgId, text);
      const after = changed(before, wanted);
      const { reason } = wanted;
      const isLimited = (budget: BudgetLimits): boolean => LIMITS.some((limit) => budget[limit] !== null);
      if (!isLimited(after) && isLimited(before) && before.scope !== 'user') throw noLimit();
      const isRaised = LIMITS.some((limit) => (after[limit] ?? Infinity) > (before[limit] ?? Infinity));
      if ((isRaised || (before.enabled && !after.enabled)) && reason === null) throw noReason();
      const by = { userId: caller.userId, orgId };
      return toResponse(await this.changes.change(transaction, by, before, after, reason));
    });
  }

  /** Deletes a budget, with what was spent of it. @throws BudgetNotFoundError */
  async delete(caller: Caller, { orgId }: OrgContext, text: string): Promise<void> {
    await this.budgets.manager.transaction(async (transaction) => {
      await this.locks.organization(transaction, orgId);
      const budget = await this.locked(transaction, orgId, text);
      await this.changes.remove(transaction, { userId: caller.userId, orgId }, budget);
    });
  }

  /** A budget, which no other transaction changes until this one ends. @throws BudgetNotFoundError */
  private async locked(transaction: EntityManager, orgId: string, text: string): Promise<ShownBudgetRow> {
    const id = idIn(text);
    const lock = { mode: 'for_no_key_update' } as const;
    const budgets = transaction.withRepository(this.budgets);
    await budgets.findOne({ where: { id, orgId }, select: { id: true }, lock });
    return this.changes.read(transaction, orgId, id);
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

/** @throws BudgetNotFoundError for what is no id */
function idIn(text: string): string {
  const id = parseUuid(text);
  if (id === null) throw new BudgetNotFoundError();
  return id;
}

/** A budget with what is wanted; what is left out stays. */
function changed(before: BudgetLimits, wanted: BudgetUpdate): BudgetLimits {
  return {
    limit_usd: wanted.limit_usd === undefined ? before.limit_usd : wanted.limit_usd,
    limit_tokens: wanted.limit_tokens === undefined ? before.limit_tokens : wanted.limit_tokens,
    soft_percent: wanted.soft_percent === undefined ? before.soft_percent : wanted.soft_percent,
    enabled: wanted.enabled ?? before.enabled,
  };
}

/** The subject of a budget as it is stored. @throws ValidationError */
function subjectOf({ scope, subject }: BudgetCreate): string {
  if (scope === 'organization' || scope === 'each_user') {
    if (subject !== null) throw invalid('subject', 'this scope needs no subject', subject);
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
  return invalid('reason', 'a limit is raised, removed or switched off with a reason', null);
}

function invalid(field: string, reason: string, input: unknown): ValidationError {
  const issue = { type: 'value_error', loc: ['body', field], msg: `Value error, ${reason}`, input };
  return new ValidationError([issue], { status: 422, plain: true });
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
    enabled: row.enabled,
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
