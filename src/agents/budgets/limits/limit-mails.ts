import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { Mailer, MailDelayedError, plainName } from '../../../accounts/mail';
import { html, uuidText } from '../../../kernel/common';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { JobHandlers, JobQueue, type RunningJob } from '../../../kernel/jobs';
import type { BudgetPeriod } from '../record/budget';
import { LIMIT_MAIL, LIMIT_MAIL_RECIPIENTS, type LimitMailRow } from './limit-mails.read-model';

const JOB = 'budget-mail';

const EACH: Readonly<Record<BudgetPeriod, string>> = {
  day: ' for today',
  month: ' for this month',
  total: '',
};

const payload = z.object({
  budgetId: uuidText,
  subject: z.string().nullable(),
  userId: uuidText,
  isExhausted: z.boolean(),
  spent: z.string(),
  resetsAt: z.string().nullable(),
});

type Mail = z.infer<typeof payload>;

/**
 * Tells owners and admins, and the member whose budget or conversation it is, that a budget has reached a limit: one job for each,
 * added in the transaction that marks it (docs/budgets.md#when-a-budget-is-exhausted).
 */
@Injectable()
export class LimitMails {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly mailer: Mailer,
    handlers: JobHandlers,
  ) {
    handlers.register(JOB, payload, (mail, job) => this.send(mail, job), 'slow');
  }

  @OnDomainEvent(['budget.soft_limit_reached', 'budget.exhausted'])
  async queue(
    reached: DomainEventOf<'budget.soft_limit_reached' | 'budget.exhausted'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (!this.mailer.configured) return;
    const { budget_id: budgetId, subject, resets_at: resetsAt, kind } = reached;
    const isExhausted = kind === 'budget.exhausted';
    const told = { budgetId, subject, isExhausted, spent: spentOf(reached), resetsAt };
    const recipients = await LIMIT_MAIL_RECIPIENTS.rows(transaction, [budgetId, subject]);
    await this.jobs.addAll(
      transaction,
      recipients.map(({ user_id: userId }) => ({ name: JOB, payload: { ...told, userId } satisfies Mail })),
    );
  }

  private async send(mail: Mail, job: RunningJob): Promise<void> {
    const [row] = await LIMIT_MAIL.rows(this.database, [mail.budgetId, mail.userId, mail.subject]);
    if (row === undefined) return;
    const { subject, sentences } = textOf(mail, row);
    job.lease.assertHeld();
    const outcome = await this.mailer.send({
      to: row.email,
      subject,
      text: `${sentences.join('\n\n')}\n`,
      html: html`<!doctype html>
        <html lang="en">
          <title>${subject}</title>
          ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
        </html>`.text,
      id: `budget-limit-${job.id}`,
    });
    if (outcome.kind === 'delayed') throw new MailDelayedError(outcome.detail);
  }
}

function textOf({ isExhausted, spent, resetsAt }: Mail, row: LimitMailRow) {
  const organization = plainName(row.org_name);
  const reset = resetsAt === null ? '' : ` it begins anew at ${minuteOf(resetsAt)}, or`;
  const what = `The budget of ${plainName(ofWhat(row))}${EACH[row.period]}, in ${organization}: ${spent}.`;
  return isExhausted
    ? {
        subject: `A budget of ${organization} is exhausted`,
        sentences: [
          what,
          `Agents that count in it have been interrupted. No message is sent to them, and no conversation started, until${reset} it is raised. Messages that are queued wait.`,
        ],
      }
    : {
        subject: `A budget of ${organization} is nearly exhausted`,
        sentences: [
          what,
          'Nothing is stopped yet. Once it is exhausted, agents that count in it are interrupted, and messages to them wait.',
        ],
      };
}

function ofWhat({ scope, subject, subject_name: name, org_name: organization }: LimitMailRow): string {
  switch (scope) {
    case 'organization':
      return organization;
    case 'user':
    case 'each_user':
      return name ?? 'a former member';
    case 'repository':
      return `the repository ${subject}`;
    case 'tag':
      return `the tag ${subject}`;
    case 'conversation':
      return `the conversation ${name ?? subject}`;
  }
}

function minuteOf(time: string): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function spentOf({
  spent_usd,
  limit_usd,
  spent_tokens,
  limit_tokens,
}: DomainEventOf<'budget.soft_limit_reached'> | DomainEventOf<'budget.exhausted'>): string {
  const parts = [
    ...(limit_usd === null ? [] : [`$${spent_usd.toFixed(2)} of $${limit_usd.toFixed(2)}`]),
    ...(limit_tokens === null ? [] : [`${spent_tokens} of ${limit_tokens} tokens`]),
  ];
  return `${parts.join(' and ')} are spent`;
}
