import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import type { Role } from '../../auth';
import { JobHandlers, JobQueue, type RunningJob } from '../../jobs';
import { Mailer, type MailOutcome } from '../../mail';
import { invitationEmail } from './invitation-email';
import { InvitationTokens } from '../record/invitation-tokens';
import { MailDelayedError } from './mail-delayed.error';

const JOB = 'invitation-mail';

/** So many mails are one job: one each would cost more in the database than the mail itself. */
const MAILS_A_JOB = 25;

/** So many of these jobs run at a time, so that a slow mail server leaves room for other jobs. */
const QUEUES = 4;

/** So many mails of a job are under way at a time. */
const AT_ONCE = 4;

const payload = z.object({ invitations: z.array(z.object({ id: z.int(), generation: z.int() })) });

/** What a job knows of an invitation. */
type Reference = z.infer<typeof payload>['invitations'][number];

interface DueRow extends Reference {
  readonly email: string;
  readonly role: Role;
  readonly expires_at: Date;
  readonly token_digest: string;
  readonly org_name: string;
  readonly inviter_email: string;
  readonly inviter_name: string | null;
}

/** Mails invitations through durable jobs, which know an invitation's id and generation and no more. */
@Injectable()
export class InvitationMail {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
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

  /** Has the mails sent once the transaction commits; those of earlier generations do not go out any more. */
  async queue(transaction: EntityManager, invitations: readonly Reference[]): Promise<void> {
    if (!this.configured) return;
    const references = invitations.map(({ id, generation }) => ({ id, generation }));
    const jobs = Array.from({ length: Math.ceil(references.length / MAILS_A_JOB) }, (_, i) =>
      references.slice(i * MAILS_A_JOB, (i + 1) * MAILS_A_JOB),
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
   * more are begun, and those that are under way are noted.
   */
  private async deliver(references: readonly Reference[], job: RunningJob): Promise<void> {
    const waiting = references.values();
    const delays: string[] = [];
    const sender = async (): Promise<void> => {
      for (const reference of waiting) {
        job.signal.throwIfAborted();
        const row = await this.due(reference);
        if (row === null) continue;
        const outcome = await this.send(row, job);
        await this.note(row, outcome, job.attempt >= job.maxAttempts);
        if (outcome.kind === 'delayed') delays.push(outcome.detail);
      }
    };
    const senders = await Promise.allSettled(Array.from({ length: AT_ONCE }, sender));
    for (const result of senders) if (result.status === 'rejected') throw result.reason;
    if (delays[0] !== undefined) throw new MailDelayedError(delays[0]);
  }

  /** @returns null when there is nothing to send any more: sent, replaced, answered, expired or gone */
  private async due({ id, generation }: Reference): Promise<DueRow | null> {
    const [row] = await this.database.query<DueRow[]>(
      `SELECT i.id, i.generation, i.email, i.role, i.expires_at, i.token_digest, o.name AS org_name,
              u.email AS inviter_email, u.name AS inviter_name
         FROM invitations i JOIN organizations o ON o.id = i.org_id JOIN users u ON u.id = i.inviter_user_id
        WHERE i.id = $1 AND i.generation = $2 AND i.mail_status = 'queued' AND i.status = 'pending'
          AND i.expires_at > clock_timestamp()`,
      [id, generation],
    );
    return row ?? null;
  }

  private async send(due: DueRow, job: RunningJob): Promise<MailOutcome> {
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

  private async note({ id, generation }: Reference, outcome: MailOutcome, isLast: boolean): Promise<void> {
    const status = outcome.kind === 'delayed' ? (isLast ? 'failed' : 'queued') : outcome.kind;
    await this.database.query(
      `UPDATE invitations SET mail_status = $3, mail_detail = $4
        WHERE id = $1 AND generation = $2 AND mail_status <> 'sent'`,
      [
        id,
        generation,
        status === 'refused' ? 'failed' : status,
        outcome.kind === 'sent' ? null : outcome.detail,
      ],
    );
  }
}
