import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { Mailer, MailDelayedError, plainName } from '../../../accounts/mail';
import { html, uuidText } from '../../../kernel/common';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { JobHandlers, JobQueue, type RunningJob } from '../../../kernel/jobs';
import { ANNOUNCED_KINDS, type AnnouncedKind } from '../kinds/retention-kinds';
import { OWNER_TO_WARN, OWNERS_TO_WARN } from './owner-mails.read-model';

const JOB = 'retention-mail';

/** What goes, as people read it. */
const WORDS: Readonly<Record<AnnouncedKind, (items: number) => string>> = {
  events: (items) => `${items} events`,
  conversations: (items) => `${items} conversations`,
  archives: (items) => `what ${items} paused sandboxes keep`,
};

const payload = z.object({
  orgId: uuidText,
  userId: uuidText,
  removalAt: z.string(),
  due: z.array(z.object({ what: z.enum(ANNOUNCED_KINDS), days: z.number(), items: z.number() })),
});

/** Tells the owners of an organization a week before something goes, one job for each. */
@Injectable()
export class WarningMails {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly mailer: Mailer,
    handlers: JobHandlers,
  ) {
    handlers.register(JOB, payload, (about, job) => this.send(about, job), 'slow');
  }

  @OnDomainEvent('retention.due')
  async queue(
    { org_id: orgId, removal_at: removalAt, due }: DomainEventOf<'retention.due'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (!this.mailer.configured) return;
    const owners = await OWNERS_TO_WARN.rows(transaction, [orgId]);
    await this.jobs.addAll(
      transaction,
      owners.map(({ user_id: userId }) => ({ name: JOB, payload: { orgId, userId, removalAt, due } })),
    );
  }

  private async send(about: z.infer<typeof payload>, job: RunningJob): Promise<void> {
    const [row] = await OWNER_TO_WARN.rows(this.database, [about.orgId, about.userId]);
    if (row === undefined) return;
    const name = plainName(row.org_name);
    const subject = `Old data of ${name} will be removed`;
    const said = `From ${about.removalAt.slice(0, 10)} on, this is removed of ${name}, where nobody uses it before:`;
    const lines = about.due.map(
      ({ what, days, items }) => `${WORDS[what](items)}, after ${days} days without activity`,
    );
    const what = 'To keep it for longer, change how long your organization keeps what.';
    job.lease.assertHeld();
    const outcome = await this.mailer.send({
      to: row.email,
      subject,
      text: `${said}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\n${what}\n`,
      html: html`<!doctype html>
        <html lang="en">
          <title>${subject}</title>
          <p>${said}</p>
          <ul>
            ${lines.map((line) => html`<li>${line}</li>`)}
          </ul>
          <p>${what}</p>
        </html>`.text,
      id: `retention-due-${job.id}`,
    });
    if (outcome.kind === 'delayed') throw new MailDelayedError(outcome.detail);
  }
}
