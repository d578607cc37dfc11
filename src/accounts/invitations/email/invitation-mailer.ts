import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Not, Repository } from 'typeorm';
import { z } from 'zod';
import { cutText } from '../../../kernel/common';
import { JobHandlers, JobQueue, type RunningJob } from '../../../kernel/jobs';
import { MailDelayedError, Mailer, type MailOutcome } from '../../mail';
import { invitationEmail } from './invitation-email';
import { Invitation, MAX_MAIL_DETAIL } from '../record/invitation.entity';
import { InvitationTokens } from '../record/invitation-tokens';
import { selectUnsentInvitation, type UnsentInvitationRow } from './unsent-invitation.read-model';

const JOB = 'invitation-mail';

/** Emails of one job: a job each would cost more in the database than the email itself. */
const EMAILS_PER_JOB = 25;

/** At most this many of these jobs run at a time, so that a slow mail server leaves room for other jobs. */
const QUEUES = 4;

/** Emails that one job sends concurrently. */
const CONCURRENT_EMAILS = 4;

const payload = z.object({ invitations: z.array(z.object({ id: z.int(), generation: z.int() })) });

/** The payload of a job. */
type Reference = z.infer<typeof payload>['invitations'][number];

/** Emails invitations through durable jobs, whose payloads are only an invitation's id and generation. */
@Injectable()
export class InvitationMailer {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly jobs: JobQueue,
    private readonly mailer: Mailer,
    private readonly tokens: InvitationTokens,
    handlers: JobHandlers,
  ) {
    handlers.register(JOB, payload, ({ invitations }, job) => this.deliver(invitations, job));
  }

  /** False where no mail server is configured. */
  get configured(): boolean {
    return this.mailer.configured;
  }

  /** Schedules the emails for the commit of the transaction; those of earlier generations are no longer sent. */
  async queue(transaction: EntityManager, invitations: readonly Reference[]): Promise<void> {
    if (!this.configured) return;
    const references = invitations.map(({ id, generation }) => ({ id, generation }));
    const jobs = Array.from({ length: Math.ceil(references.length / EMAILS_PER_JOB) }, (_, i) =>
      references.slice(i * EMAILS_PER_JOB, (i + 1) * EMAILS_PER_JOB),
    );
    await this.jobs.addAll(
      transaction,
      jobs.map((part) => ({
        name: JOB,
        payload: { invitations: part },
        queue: `${JOB}:${(part[0]?.id ?? 0) % QUEUES}`,
      })),
    );
  }

  /**
   * Sends what was not sent yet; the job runs again for those that are delayed. When the service stops, no
   * more are begun, and the outcome of those being sent is recorded.
   */
  private async deliver(references: readonly Reference[], job: RunningJob): Promise<void> {
    const waiting = references.values();
    const delays: string[] = [];
    const sender = async (): Promise<void> => {
      for (const reference of waiting) {
        job.signal.throwIfAborted();
        const row = await selectUnsentInvitation(this.invitations.manager, reference);
        if (row === null) continue;
        const outcome = await this.send(row, job);
        await this.record(row, outcome, job.attempt >= job.maxAttempts);
        if (outcome.kind === 'delayed') delays.push(outcome.detail);
      }
    };
    const senders = await Promise.allSettled(Array.from({ length: CONCURRENT_EMAILS }, sender));
    for (const result of senders) if (result.status === 'rejected') throw result.reason;
    if (delays[0] !== undefined) throw new MailDelayedError(delays[0]);
  }

  private async send(due: UnsentInvitationRow, job: RunningJob): Promise<MailOutcome> {
    const { id, generation } = due;
    const link = this.tokens.linkOf({ id, generation, tokenDigest: due.token_digest });
    if (link === null)
      return {
        kind: 'refused',
        detail: 'The link was made with a key that is gone; send the invitation anew.',
      };
    const content = invitationEmail({
      orgName: due.org_name,
      role: due.role,
      inviterEmail: due.inviter_email,
      inviterName: due.inviter_name,
      expiresAt: due.expires_at,
      link,
    });
    job.lease.assertHeld();
    return this.mailer.send({ ...content, to: due.email, id: `invitation-${id}-${generation}` });
  }

  private async record(
    { id, generation }: Reference,
    outcome: MailOutcome,
    isLastAttempt: boolean,
  ): Promise<void> {
    const failed = outcome.kind === 'refused' || (outcome.kind === 'delayed' && isLastAttempt);
    const sent = outcome.kind === 'sent';
    await this.invitations.update(
      { id, generation, mailStatus: Not('sent') },
      {
        mailStatus: sent ? 'sent' : failed ? 'failed' : 'queued',
        mailDetail: sent ? null : cutText(outcome.detail, MAX_MAIL_DETAIL),
      },
    );
  }
}
