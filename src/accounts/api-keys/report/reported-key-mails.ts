import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { html, uuidText } from '../../../kernel/common';
import { JobHandlers, JobQueue, type RunningJob } from '../../../kernel/jobs';
import { emailHtml, type EmailMessage, MailDelayedError, Mailer, plainName } from '../../mail';
import { Accounts } from '../../orgs';
import type { ApiKey } from '../keys/api-key.entity';

const JOB = 'reported-key-mail';

/** With the pauses between them they last some hours. */
const SEND_ATTEMPTS = 12;

const payload = z.object({
  keyId: z.int(),
  userId: uuidText,
  name: z.string().nullable(),
  prefix: z.string(),
});

type ReportedKey = z.output<typeof payload>;

/** Tells users by mail that a key of theirs was found and reported. */
@Injectable()
export class ReportedKeyMails {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: Accounts,
    private readonly jobs: JobQueue,
    private readonly mailer: Mailer,
    handlers: JobHandlers,
  ) {
    handlers.register(JOB, payload, (key, job) => this.deliver(key, job));
  }

  /** Mails the user of a key, of a service account who made it, once the transaction commits, where mail is configured. */
  async queue(transaction: EntityManager, key: ApiKey): Promise<void> {
    if (!this.mailer.configured) return;
    await this.jobs.add(transaction, {
      name: JOB,
      payload: {
        keyId: key.id,
        userId: key.madeByUserId ?? key.userId,
        name: key.name,
        prefix: key.prefix,
      },
      maxAttempts: SEND_ATTEMPTS,
    });
  }

  private async deliver(key: ReportedKey, job: RunningJob): Promise<void> {
    const user = await this.accounts.findById(this.database.manager, key.userId);
    if (user === null || user.disabledAt !== null || user.email === null) return;
    job.lease.assertHeld();
    const outcome = await this.mailer.send({
      ...reportedKeyEmail(key),
      to: user.email,
      id: `reported-key-${key.keyId}`,
    });
    if (outcome.kind === 'delayed') throw new MailDelayedError(outcome.detail);
  }
}

function reportedKeyEmail({ name, prefix }: ReportedKey): Pick<EmailMessage, 'subject' | 'text' | 'html'> {
  const shown = name === null ? `${prefix}…` : `"${plainName(name)}" (${prefix}…)`;
  const subject = 'A key of yours was found and is revoked';
  const what = `Somebody found your key ${shown} where it should not be, and reported it. It does not work any more, nor do the sessions that began with it.`;
  const then =
    'Whoever found it may have used it before: look through your other keys and what happened in your organizations lately, and find out how it got out before you make another one.';
  const footer = 'You get this because the key was yours. Nobody needs an answer.';
  return {
    subject,
    text: [what, then, footer].join('\n\n'),
    html: emailHtml({
      subject,
      preview: what,
      heading: html`Your key was found`,
      body: [html`${what}`, html`${then}`],
      footer,
    }),
  };
}
