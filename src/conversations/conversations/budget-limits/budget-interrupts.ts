import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { BudgetExhaustedError } from '../../../agents/budgets';
import { Clock, uuidText } from '../../../kernel/common';
import { type DomainEventOf, DomainEvents, OnDomainEvent } from '../../../kernel/domain-events';
import { JobHandlers, JobQueue, queueOfServer } from '../../../kernel/jobs';
import { RunningAgents } from '../interrupt/running-agents';
import { runningIfAny } from '../interrupt/at-rest';
import { SendTargets } from '../send-message/send-message.service';
import { OWN_EVENT } from '../stop/own-event';
import { AGENTS_OF_BUDGET } from './agents-of-budget.read-model';

const LOOK_JOB = 'budget-agents';
const INTERRUPT_JOB = 'budget-interrupt';

/** An agent that was sent a message right before may begin after the first look; nothing is sent to any afterwards. */
const LOOK_AGAIN_MS = 15_000;
const AT_ONCE = 1_000;
/** Before all conversations. */
const FIRST = '00000000-0000-0000-0000-000000000000';

const aboutBudget = z.object({ budgetId: uuidText, userId: uuidText.nullable() });
const aboutAgent = z.object({ conversationId: uuidText });

/** Interrupts the agents that an exhausted budget leaves nothing for, one job for each (docs/budgets.md#when-a-budget-is-exhausted). */
@Injectable()
export class BudgetInterrupts {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly targets: SendTargets,
    private readonly agents: RunningAgents,
    private readonly events: DomainEvents,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.register(LOOK_JOB, aboutBudget, ({ budgetId, userId }) => this.look(budgetId, userId));
    handlers.register(
      INTERRUPT_JOB,
      aboutAgent,
      ({ conversationId }, { id }) => this.interrupt(conversationId, id),
      'slow',
    );
  }

  @OnDomainEvent('budget.exhausted')
  async plan(
    { budget_id: budgetId, scope, subject }: DomainEventOf<'budget.exhausted'>,
    transaction: EntityManager,
  ): Promise<void> {
    const look = { name: LOOK_JOB, payload: { budgetId, userId: scope === 'each_user' ? subject : null } };
    const again = new Date(this.clock.now().getTime() + LOOK_AGAIN_MS);
    await this.jobs.addAll(transaction, [look, { ...look, runAt: again }]);
  }

  private async look(budgetId: string, userId: string | null): Promise<void> {
    for (let after = FIRST, found = AT_ONCE; found === AT_ONCE;) {
      const agents = await AGENTS_OF_BUDGET.rows(this.database, [budgetId, after, AT_ONCE, userId]);
      await this.jobs.addAll(
        this.database.manager,
        agents.map(({ id, base_url: server }) => ({
          name: INTERRUPT_JOB,
          payload: { conversationId: id },
          key: `budget-interrupt:${id}`,
          queue: queueOfServer('budget', server),
        })),
      );
      found = agents.length;
      after = agents.at(-1)?.id ?? after;
    }
  }

  /** Nothing happens where there is room again, or nothing runs. @throws TooManyWaitingCallsError, AgentServerError */
  private async interrupt(conversationId: string, jobId: string): Promise<void> {
    const target = await this.targets.find(conversationId);
    if (!target?.exhaustedBudget) return;
    const { conversation, exhaustedBudget: budget } = target;
    const sandbox = runningIfAny(conversation, target.sandbox);
    if (sandbox === null) return;
    const { id, orgId, createdByUserId } = conversation;
    if (!(await this.agents.isAtWork(conversation, sandbox, createdByUserId))) return;
    // First, so that it is told whatever ends this process; told again, it is one event.
    await this.database.transaction((transaction) =>
      this.events.publish(transaction, {
        kind: 'conversation.interrupted',
        org_id: orgId,
        conversation_id: id,
        budget_id: budget.id,
        reason: new BudgetExhaustedError(budget).message,
        event_id: `${OWN_EVENT}budget-${jobId}`,
      }),
    );
    await this.agents.stop(conversation, sandbox, createdByUserId, false);
  }
}
