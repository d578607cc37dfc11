import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { newId, SecretBox } from '../../common';
import { JobHandlers, JobQueue, type RunningJob } from '../../jobs';
import { Mailer } from '../../mail';
import { MailDelayedError } from '../email/mail-delayed.error';
import { CodeLimitError, CodeVoidError, WrongCodeError } from './acceptance.errors';
import { codeEmail } from './code-letter';
import type { InvitationView } from './invitation-view';

const JOB = 'invitation-code-mail';
const QUEUES = 2;
/** Tries of the mail: with their pauses they last about as long as the code. */
const MAIL_TRIES = 6;
const TRIES = 5;
const CODES = 1_000_000;
const CODE_LENGTH = 6;

/**
 * Codes mailed to one address within a day, whoever asks and for whichever invitation: whoever holds links
 * can ask for codes, and renew the invitation, as often as they like, but gets 50 guesses a day.
 */
const CODES_A_DAY = 10;
const DAY_SECONDS = 24 * 3600;

const payload = z.object({ id: z.uuid() });

/**
 * Six-digit codes that prove an invited address (docs/contract.md#accepting-an-invitation): derived, so that
 * no job and no table holds one.
 */
@Injectable()
export class AcceptanceCodes {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly box: SecretBox,
    private readonly jobs: JobQueue,
    private readonly mailer: Mailer,
    handlers: JobHandlers,
  ) {
    handlers.register(JOB, payload, ({ id }, job) => this.deliver(id, job));
  }

  /** Has a code mailed to the invited address; earlier ones stop working. @throws CodeLimitError */
  async send(invitation: InvitationView): Promise<void> {
    const id = newId();
    await this.database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `invitation-codes:${invitation.email}`,
      ]);
      const [sent] = await transaction.query<[{ count: number; wait: number | null }]>(
        `SELECT count(*)::int AS count,
                ceil($2 - extract(epoch FROM clock_timestamp() - min(created_at)))::int AS wait
           FROM invitation_codes WHERE email = $1 AND created_at > clock_timestamp() - $2 * interval '1 second'`,
        [invitation.email, DAY_SECONDS],
      );
      if (sent.count >= CODES_A_DAY) throw new CodeLimitError(sent.wait ?? DAY_SECONDS);
      await transaction.query(
        `INSERT INTO invitation_codes (id, invitation_id, generation, email, digest, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp() + interval '10 minutes')`,
        [
          id,
          invitation.id,
          invitation.generation,
          invitation.email,
          this.digest(id, this.codeOf(id)).toString('hex'),
        ],
      );
      await this.jobs.add(transaction, {
        name: JOB,
        payload: { id },
        maxAttempts: MAIL_TRIES,
        queue: `${JOB}:${invitation.id % QUEUES}`,
      });
    });
  }

  /**
   * Passes for the code that was mailed last. Every call is counted before it is looked at, so that calls at
   * once have no more tries than one after the other.
   * @throws WrongCodeError, CodeVoidError
   */
  async check(invitation: InvitationView, code: string): Promise<void> {
    const [counted] = await this.database.query<{ id: string; digest: string; tries: number }[]>(
      `WITH counted AS (
         UPDATE invitation_codes SET tries = tries + 1
          WHERE id = (SELECT id FROM invitation_codes WHERE invitation_id = $1 AND generation = $2
                       ORDER BY created_at DESC, id LIMIT 1)
            AND tries < ${TRIES} AND expires_at > clock_timestamp()
         RETURNING id, digest, tries
       ) SELECT * FROM counted`,
      [invitation.id, invitation.generation],
    );
    if (!counted) throw new CodeVoidError();
    const given = this.digest(counted.id, code.replace(/\s/g, ''));
    if (timingSafeEqual(given, Buffer.from(counted.digest, 'hex'))) return;
    if (counted.tries >= TRIES) throw new CodeVoidError();
    throw new WrongCodeError(TRIES - counted.tries);
  }

  private codeOf(id: string): string {
    const number = this.box.mac(`invitation-code:${id}`).readUIntBE(0, 6) % CODES;
    return String(number).padStart(CODE_LENGTH, '0');
  }

  private digest(id: string, code: string): Buffer {
    return this.box.mac(`invitation-code-check:${id}:${code}`);
  }

  private async deliver(id: string, job: RunningJob): Promise<void> {
    const [due] = await this.database.query<{ email: string; org_name: string }[]>(
      `SELECT c.email, o.name AS org_name
         FROM invitation_codes c JOIN invitations i ON i.id = c.invitation_id JOIN organizations o ON o.id = i.org_id
        WHERE c.id = $1 AND c.sent_at IS NULL AND c.expires_at > clock_timestamp()`,
      [id],
    );
    if (!due) return;
    const letter = {
      ...codeEmail(due.org_name, this.codeOf(id)),
      to: due.email,
      id: `invitation-code-${id}`,
    };
    job.lease.assertHeld();
    const outcome = await this.mailer.send(letter);
    if (outcome.kind === 'delayed') throw new MailDelayedError(outcome.detail);
    await this.database.query('UPDATE invitation_codes SET sent_at = clock_timestamp() WHERE id = $1', [id]);
  }
}
