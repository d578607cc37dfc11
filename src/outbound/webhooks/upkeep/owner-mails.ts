import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { html, uuidText } from '../../../kernel/common';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { JobHandlers, JobQueue, type RunningJob } from '../../../kernel/jobs';
import { Mailer } from '../../../accounts/mail';
import { OWNER_MAIL, OWNERS } from './owners.read-model';

const JOB = 'webhook-disabled-mail';

/** Why the service disabled an endpoint, as people read it; owners get no mail about what they did themselves. */
const REASONS = {
  gone: 'it answered with the status 410, which says that it is gone for good',
  failing: 'every callback to it has failed for five days',
  backlog: 'more than 100,000 callbacks to it were waiting',
} as const;

const payload = z.object({
  webhookId: uuidText,
  userId: uuidText,
  reason: z.enum(['gone', 'failing', 'backlog']),
});

/** The mail could not be sent yet; its job runs again. */
class OwnerMailDelayedError extends Error {
  override readonly name = 'OwnerMailDelayedError';
}

/** Tells the owners of an organization when the service disables an endpoint, one job for each. */
@Injectable()
export class OwnerMails {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly mailer: Mailer,
    handlers: JobHandlers,
  ) {
    handlers.register(JOB, payload, (about, job) => this.send(about, job), 'slow');
  }

  @OnDomainEvent('webhook.disabled')
  async queue(
    { org_id, webhook_id, reason }: DomainEventOf<'webhook.disabled'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (!this.mailer.configured || reason === 'by_request') return;
    const owners = await OWNERS.rows(transaction, [org_id]);
    await this.jobs.addAll(
      transaction,
      owners.map(({ user_id: userId }) => ({
        name: JOB,
        payload: { webhookId: webhook_id, userId, reason },
      })),
    );
  }

  private async send({ webhookId, userId, reason }: z.infer<typeof payload>, job: RunningJob): Promise<void> {
    const [row] = await OWNER_MAIL.rows(this.database, [webhookId, userId]);
    if (row === undefined) return;
    const { host } = new URL(row.url);
    const subject = `A webhook of ${oneLine(row.org_name)} was disabled`;
    const said = `The webhook at ${host} (${webhookId}) of ${oneLine(row.org_name)} was disabled: ${REASONS[reason]}.`;
    const what =
      'What was waiting for it has failed. When it works again, enable it, and replay what failed in the last seven days.';
    job.lease.assertHeld();
    const outcome = await this.mailer.send({
      to: row.email,
      subject,
      text: `${said}\n\n${what}\n`,
      html: html`<!doctype html>
        <html lang="en">
          <title>${subject}</title>
          <p>${said}</p>
          <p>${what}</p>
        </html>`.text,
      id: `webhook-disabled-${job.id}`,
    });
    if (outcome.kind === 'delayed') throw new OwnerMailDelayedError(outcome.detail);
  }
}

function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
