import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import type { Role } from '../auth';
import { JobHandlers, JobQueue, type RunningJob } from '../jobs';
import { Mailer, type MailOutcome } from '../mail';
import { invitationLetter } from './invitation-letter';
import { InvitationTokens } from './invitation-tokens';
import { MailDelayedError } from './mail-delayed.error';

const JOB = 'invitation-mail';

/** Mails of invitations are sent so many at a time, so that a slow mail server leaves room for other jobs. */
const QUEUES = 6;

const payload = z.object({ id: z.int(), generation: z.int() });

interface DueRow {
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
    handlers.register(JOB, payload, ({ id, generation }, job) => this.deliver(id, generation, job));
  }

  /** False where no mail server is configured. */
  get configured(): boolean {
    return this.mailer.configured;
  }

  /** Has the mails sent once the transaction commits; an earlier generation's that did not go out is dropped. */
  async queue(
    transaction: EntityManager,
    invitations: readonly { readonly id: number; readonly generation: number }[],
  ): Promise<void> {
    if (!this.configured) return;
    await this.jobs.addAll(
      transaction,
      invitations.map(({ id, generation }) => ({
        name: JOB,
        payload: { id, generation },
        key: `${JOB}:${id}`,
        queue: `${JOB}:${id % QUEUES}`,
      })),
    );
  }

  private async deliver(id: number, generation: number, job: RunningJob): Promise<void> {
    const due = await this.due(id, generation);
    if (due === null) return;
    const outcome = await this.send(id, generation, due, job);
    const isLast = job.attempt >= job.maxAttempts;
    await this.note(id, generation, outcome, isLast);
    if (outcome.kind === 'delayed') throw new MailDelayedError(outcome.detail);
  }

  /** @returns null when there is nothing to send any more: sent, replaced, answered, expired or gone */
  private async due(id: number, generation: number): Promise<DueRow | null> {
    const [row] = await this.database.query<DueRow[]>(
      `SELECT i.email, i.role, i.expires_at, i.token_digest, o.name AS org_name,
              u.email AS inviter_email, u.name AS inviter_name
         FROM invitations i JOIN organizations o ON o.id = i.org_id JOIN users u ON u.id = i.inviter_user_id
        WHERE i.id = $1 AND i.generation = $2 AND i.mail_status = 'queued' AND i.status = 'pending'
          AND i.expires_at > clock_timestamp()`,
      [id, generation],
    );
    return row ?? null;
  }

  private async send(id: number, generation: number, due: DueRow, job: RunningJob): Promise<MailOutcome> {
    const link = this.tokens.linkOf({ id, generation, tokenDigest: due.token_digest });
    if (link === null)
      return {
        kind: 'refused',
        detail: 'The link was made with a key that is gone; send the invitation anew.',
      };
    const content = invitationLetter({
      orgName: due.org_name,
      role: due.role,
      inviterEmail: due.inviter_email,
      inviterName: due.inviter_name,
      expiresAt: due.expires_at,
      link,
    });
    job.lease.assertHeld();
    return this.mailer.send({ ...content, to: due.email, id: `invitation-${id}-${generation}` }, job.signal);
  }

  private async note(id: number, generation: number, outcome: MailOutcome, isLast: boolean): Promise<void> {
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
