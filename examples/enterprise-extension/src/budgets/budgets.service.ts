import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Actor, Actors, AppError, Conversations, Members, Metrics } from 'org-conversation-service';
import type { CommandHandler, CommandOptions } from 'org-conversation-service';
import { type DomainEventOf, ExtensionEvents, OnDomainEvent } from 'org-conversation-service';
import { Counter } from 'prom-client';
import { ArrayContains, DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { Budget, Cost } from './budget.tables';
import type { DepartmentBudget, BudgetSet } from './budgets.controller';

/** `acme.budget_spent`. */
export const budgetSpent = z
  .object({
    department: z.string().meta({ description: 'Whose budget.', examples: ['research'] }),
    dollars: z.number().meta({ description: 'What it has spent.', examples: [250.5] }),
  })
  .describe('The budget of a department is spent.');

/** 409: a department has nothing left. */
class BudgetSpentError extends AppError {
  constructor(department: string) {
    super(409, 'acme_budget_spent', `The budget of the department ${department} is spent.`);
  }
}

/** Keeps the budgets of departments, and holds conversations to them. */
@Injectable()
export class Budgets {
  private readonly spentDollars: Counter;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly members: Members,
    private readonly actors: Actors,
    private readonly conversations: Conversations,
    private readonly events: ExtensionEvents,
    metrics: Metrics,
  ) {
    this.spentDollars = new Counter({
      name: 'acme_spent_dollars_total',
      help: 'What departments spent, in US dollars.',
      registers: [metrics.of('acme')],
    });
  }

  /** Those of an organization, by department. */
  list(orgId: string): Promise<DepartmentBudget[]> {
    return this.database.query(
      `SELECT department, limit_dollars, coalesce(sum(dollars), 0) AS spent_dollars
         FROM acme_budgets LEFT JOIN acme_costs USING (org_id, department)
        WHERE org_id = $1 GROUP BY org_id, department ORDER BY department`,
      [orgId],
    );
  }

  /** Sets what a department may spend, and who is in it. @throws MemberNotFoundError */
  async set(actor: Actor, department: string, { limit_dollars, user_ids }: BudgetSet): Promise<void> {
    for (const userId of user_ids) await this.members.find(actor, userId);
    const budget = { orgId: actor.orgId, department, limitDollars: limit_dollars, userIds: user_ids };
    await this.database.manager.upsert(Budget, budget, ['orgId', 'department']);
  }

  /**
   * Counts a conversation for the department of who starts it. It is the transaction of the start: what is thrown here is answered
   * to whoever wants to start, and undoes it. @throws BudgetSpentError
   */
  @OnDomainEvent('conversation.created')
  async admit(event: DomainEventOf<'conversation.created'>, transaction: EntityManager): Promise<void> {
    const where = { orgId: event.org_id, userIds: ArrayContains([event.created_by_user_id]) };
    const budget = await transaction.findOne(Budget, { where, order: { department: 'ASC' } });
    if (budget === null) return;
    const { orgId, department, limitDollars } = budget;
    if ((await spentOf(transaction, budget)) >= limitDollars) throw new BudgetSpentError(department);
    await transaction.insert(Cost, { conversationId: event.conversation_id, orgId, department, dollars: 0 });
  }

  /** A job after the commit, which may run late and more than once: the cost by now counts, and only what is new of it. */
  @OnDomainEvent('conversation.updated', { after: 'commit', name: 'acme:costs' })
  async spend({ org_id, conversation_id: id, fields }: DomainEventOf<'conversation.updated'>): Promise<void> {
    if (!fields.includes('accumulated_cost')) return;
    const service = this.actors.service(org_id);
    const { metrics, execution_status } = await this.conversations.find(service, id);
    const { added, isSpent } = await this.database.transaction((transaction) =>
      this.record(transaction, id, metrics.accumulated_cost),
    );
    this.spentDollars.inc(added);
    if (isSpent && execution_status === 'running') await this.conversations.interrupt(service, id);
  }

  /** Notes what a conversation costs by now. @returns what it added, and whether its department has nothing left */
  private async record(transaction: EntityManager, conversationId: string, dollars: number) {
    const lock = { mode: 'pessimistic_write' } as const;
    const cost = await transaction.findOne(Cost, { where: { conversationId }, lock });
    if (cost === null) return { added: 0, isSpent: false };
    const added = Math.max(dollars - cost.dollars, 0);
    const { orgId, department } = cost;
    // One after the other: of all that spend at the same time, one crosses the limit.
    const budget = await transaction.findOneOrFail(Budget, { where: { orgId, department }, lock });
    const before = await spentOf(transaction, budget);
    await transaction.increment(Cost, { conversationId }, 'dollars', added);
    const isSpent = before + added >= budget.limitDollars;
    if (isSpent && before < budget.limitDollars) {
      const fields = { department, dollars: before + added };
      await this.events.publish(transaction, 'acme.budget_spent', orgId, fields);
    }
    return { added, isSpent };
  }
}

async function spentOf(transaction: EntityManager, { orgId, department }: Budget): Promise<number> {
  return (await transaction.sum(Cost, 'dollars', { orgId, department })) ?? 0;
}

/** `cli acme:report --org …`. */
@Injectable()
export class BudgetReport implements CommandHandler {
  constructor(private readonly budgets: Budgets) {}

  async run({ org = '' }: CommandOptions): Promise<object> {
    return { budgets: await this.budgets.list(org) };
  }
}
