import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountLocks } from '../../../accounts/orgs';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { parseUuid, WantedText } from '../../../kernel/common';
import { BudgetChanges, type NewBudget } from '../operations/budget-changes';
import {
  type BudgetLimits,
  isMember,
  LOCK_MONTHLY,
  MONTHLY_FOR,
  MONTHLY_OF_ORG,
  type ShownBudgetRow,
} from '../operations/budgets.read-model';
import { type BudgetScope, periodEnd, periodStart } from '../record/budget';
import { BudgetNotFoundError, BudgetSubjectNotFoundError } from '../record/budgets.errors';
import {
  type BudgetOverride,
  type MonthlyBudgets,
  MonthlyBudgetsQuery,
  type MonthlyBudgetsUpdate,
  type UserMonthlyBudget,
} from './monthly-budgets.dto';
import {
  countMonthlyUsers,
  monthlySpend,
  type MonthlyUserRow,
  monthlyUsers,
} from './monthly-budgets.read-model';
import { checkHonoured, softPercentOf } from './unsupported-fields';

/** What budgets are that are made by this record; told of from so many percent on, unless said otherwise. */
const MADE = { period: 'month', limit_tokens: null, soft_percent: 80 } as const;

/** The monthly budgets that there are of an organization, of each user, and of one user. */
interface Monthly {
  readonly organization: ShownBudgetRow | undefined;
  readonly eachUser: ShownBudgetRow | undefined;
  readonly user: ShownBudgetRow | undefined;
}

/** Monthly budgets in dollars as one record: a view of the budgets that there are (docs/budgets.md#monthly-budgets). */
@Injectable()
export class MonthlyBudgetsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly locks: AccountLocks,
    private readonly changes: BudgetChanges,
  ) {}

  /** The budgets, and a page of the members. */
  async read({ orgId }: OrgContext, query: MonthlyBudgetsQuery): Promise<MonthlyBudgets> {
    return this.shown(this.database.manager, orgId, query);
  }

  /** Changes what is said. @throws BudgetFieldNotSupportedError, TooManyBudgetsError */
  async update(caller: Caller, { orgId }: OrgContext, wanted: MonthlyBudgetsUpdate): Promise<MonthlyBudgets> {
    checkHonoured(wanted);
    const by = { userId: caller.userId, orgId };
    return this.database.transaction(async (transaction) => {
      const { enabled: areEnabled } = await this.locked(transaction, orgId);
      const enabled = wanted.enabled ?? areEnabled;
      const monthly = await MONTHLY_OF_ORG.rows(transaction, [orgId]);
      // In the order of ids, as by whoever else locks what is spent of several.
      for (const budget of monthly) {
        const after = changed(budget, wanted, enabled);
        if (after === null) await this.changes.remove(transaction, by, budget);
        else await this.changes.change(transaction, by, budget, after, wanted.reason);
      }
      for (const budget of missing(monthly, wanted, enabled))
        await this.changes.make(transaction, by, budget);
      return this.shown(transaction, orgId, new MonthlyBudgetsQuery());
    });
  }

  /**
   * Gives a user a limit of their own, or none at all; neither is as each user has it.
   * @throws BudgetSubjectNotFoundError, TooManyBudgetsError
   */
  async override(
    caller: Caller,
    { orgId }: OrgContext,
    text: string,
    { monthly_limit, is_disabled }: BudgetOverride,
  ): Promise<UserMonthlyBudget> {
    const userId = parseUuid(text);
    const by = { userId: caller.userId, orgId };
    return this.database.transaction(async (transaction) => {
      const { enabled } = await this.locked(transaction, orgId);
      if (userId === null || !(await isMember(transaction, orgId, userId)))
        throw new BudgetSubjectNotFoundError();
      const { user } = await this.monthly(transaction, orgId, userId);
      const limits = {
        limit_usd: is_disabled ? null : monthly_limit,
        limit_tokens: is_disabled ? null : (user?.limit_tokens ?? null),
      };
      const isOwn = is_disabled || limits.limit_usd !== null || limits.limit_tokens !== null;
      if (user === undefined) {
        const own = { scope: 'user', subject: userId, ...MADE, enabled, ...limits } as const;
        if (isOwn) await this.changes.make(transaction, by, own);
      } else if (isOwn)
        await this.changes.change(transaction, by, user, { ...user, ...limits, enabled }, null);
      else await this.changes.remove(transaction, by, user);
      const [row] = await monthlyUsers(transaction, { orgId, userId, search: null }, { limit: 1, offset: 0 });
      if (row === undefined) throw new BudgetSubjectNotFoundError();
      return toUser(row, await this.monthly(transaction, orgId, userId));
    });
  }

  /** A user has what each user has, also one who has left. @throws BudgetNotFoundError */
  async endOverride(caller: Caller, { orgId }: OrgContext, text: string): Promise<void> {
    const userId = parseUuid(text);
    await this.database.transaction(async (transaction) => {
      await this.locked(transaction, orgId);
      const { user } = await this.monthly(transaction, orgId, userId);
      if (user === undefined) throw new BudgetNotFoundError();
      await this.changes.remove(transaction, { userId: caller.userId, orgId }, user);
    });
  }

  /** Keeps others from changing them until the transaction ends. @returns whether those that there are limit anything; the first do */
  private async locked(transaction: EntityManager, orgId: string): Promise<{ readonly enabled: boolean }> {
    await this.locks.organization(transaction, orgId);
    const budgets = await LOCK_MONTHLY.rows(transaction, [orgId]);
    return { enabled: budgets.length === 0 || budgets.some(({ enabled }) => enabled) };
  }

  private async monthly(manager: EntityManager, orgId: string, userId: string | null): Promise<Monthly> {
    const rows = await MONTHLY_FOR.rows(manager, [orgId, userId ?? '']);
    return {
      organization: rows.find(({ scope }) => scope === 'organization'),
      eachUser: rows.find(({ scope }) => scope === 'each_user'),
      user: rows.find(({ scope }) => scope === 'user'),
    };
  }

  private async shown(
    manager: EntityManager,
    orgId: string,
    { users_page, users_per_page, users_search }: MonthlyBudgetsQuery,
  ): Promise<MonthlyBudgets> {
    const budgets = await this.monthly(manager, orgId, null);
    const wanted = { orgId, userId: null, search: WantedText.of(users_search) };
    const offset = (users_page - 1) * users_per_page;
    const rows = await monthlyUsers(manager, wanted, { limit: users_per_page, offset });
    const { spend, enabled, now } = await monthlySpend(manager, orgId);
    const limit = budgets.organization?.limit_usd ?? null;
    return {
      enabled,
      monthly_limit: limit,
      reset_day: 1,
      default_user_monthly_limit: budgets.eachUser?.limit_usd ?? null,
      slack_channel: null,
      slack_team_id: null,
      cycle_start_at: new Date(periodStart('month', now)).toISOString(),
      cycle_end_at: (periodEnd('month', now) ?? now).toISOString(),
      current_spend: spend,
      current_spend_percentage: limit === null || limit === 0 ? 0 : (spend / limit) * 100,
      thresholds: thresholdsOf(budgets.organization),
      users: rows.map((row) => toUser(row, budgets)),
      users_total: await countMonthlyUsers(manager, wanted),
      users_page,
      users_per_page,
    };
  }
}

/**
 * A monthly budget as it is wanted, whose limit counts if it is said.
 * @param enabled of all that the record is about
 * @returns null for one that is to go
 */
function changed(
  budget: ShownBudgetRow,
  wanted: MonthlyBudgetsUpdate,
  enabled: boolean,
): BudgetLimits | null {
  const { scope } = budget;
  const limit =
    scope === 'organization'
      ? wanted.monthly_limit
      : scope === 'each_user'
        ? wanted.default_user_monthly_limit
        : undefined;
  if (scope === 'each_user' && limit === null && budget.limit_tokens === null) return null;
  return {
    limit_usd: limit === undefined ? budget.limit_usd : limit,
    limit_tokens: budget.limit_tokens,
    soft_percent:
      scope === 'organization' && wanted.thresholds !== undefined
        ? softPercentOf(wanted.thresholds)
        : budget.soft_percent,
    enabled: limit === undefined && wanted.enabled === undefined ? budget.enabled : enabled,
  };
}

/** The budgets that are wanted and not there; where only `enabled` is said, that of the organization, if there is none at all. */
function missing(
  monthly: readonly ShownBudgetRow[],
  wanted: MonthlyBudgetsUpdate,
  enabled: boolean,
): NewBudget[] {
  const { monthly_limit, default_user_monthly_limit: forEach, thresholds } = wanted;
  const isThere = (of: BudgetScope): boolean => monthly.some(({ scope }) => scope === of);
  const isSaid =
    (monthly_limit ?? null) !== null ||
    thresholds !== undefined ||
    (wanted.enabled === true && monthly.length === 0 && (forEach ?? null) === null);
  return [
    ...(isSaid && !isThere('organization')
      ? [
          {
            ...MADE,
            scope: 'organization' as const,
            subject: '',
            enabled,
            limit_usd: monthly_limit ?? null,
            ...(thresholds !== undefined && { soft_percent: softPercentOf(thresholds) }),
          },
        ]
      : []),
    ...((forEach ?? null) !== null && !isThere('each_user')
      ? [{ ...MADE, scope: 'each_user' as const, subject: '', enabled, limit_usd: forEach ?? null }]
      : []),
  ];
}

function thresholdsOf(budget: ShownBudgetRow | undefined): MonthlyBudgets['thresholds'] {
  if (budget === undefined || budget.limit_usd === null) return [];
  const { soft_percent: soft } = budget;
  return [...(soft === null || soft === 100 ? [] : [soft]), 100].map((percentage, place) => ({
    id: place + 1,
    percentage,
    email_enabled: true,
    slack_enabled: false,
  }));
}

function toUser(row: MonthlyUserRow, { eachUser }: Pick<Monthly, 'eachUser'>): UserMonthlyBudget {
  return {
    user_id: row.user_id,
    user_email: row.email,
    user_name: row.name,
    current_spend: row.current_spend,
    monthly_limit: row.limit_usd,
    effective_monthly_limit: row.has_own
      ? row.counts
        ? row.limit_usd
        : null
      : eachUser?.enabled === true
        ? eachUser.limit_usd
        : null,
    is_disabled: row.has_own && row.limit_usd === null && row.limit_tokens === null,
    is_override: row.has_own,
  };
}
