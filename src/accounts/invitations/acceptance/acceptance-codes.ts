import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { z } from 'zod';
import { newId, SecretBox, uuidText, html, AppError, appError } from '../../../kernel/common';
import { lockForTransaction } from '../../../kernel/database';
import { JobHandlers, JobQueue, type RunningJob } from '../../../kernel/jobs';
import { MailDelayedError, Mailer, emailHtml, plainName } from '../../mail';
import { InvitationCode } from '../record/invitation.entity';
import { countSentCodes, countTry } from './acceptance-codes.query';
import { selectUnsentCode } from './unsent-code.read-model';
import type { InvitationView } from './invitation-views';

/** 409: the invited address has an account, so that its key is needed. */
export const AccountExistsError = appError(
  409,
  'account_exists',
  'There is an account for this address already. Accept the invitation with a key of that account.',
);

/** 400: the code is not the one that was emailed. */
class WrongCodeError extends AppError {
  constructor(triesLeft: number) {
    const rest = triesLeft === 1 ? '1 try is' : `${triesLeft} tries are`;
    super(400, 'code_wrong', `This is not the code that was mailed. ${rest} left.`);
  }
}

/** 400: no code can be entered any more. */
const CodeVoidError = appError(400, 'code_void', 'The code can no longer be used. Have a new one sent.');

/** 429: too many codes were emailed to the address. */
class CodeLimitError extends AppError {
  constructor(retryAfterSeconds: number) {
    super(429, 'code_limit_reached', 'Too many codes were sent to this address. Try again tomorrow.', {
      'Retry-After': String(retryAfterSeconds),
    });
  }
}

const JOB = 'invitation-code-mail';
const QUEUES = 2;
/** Attempts to send the email: with the pauses between them they last about as long as the code. */
const SEND_ATTEMPTS = 6;
const MAX_TRIES = 5;

/**
 * Codes emailed to one address within a day, for all callers and invitations together: a person with links
 * can ask for codes, and renew the invitation, as often as they like, but gets 50 guesses a day.
 */
const CODES_PER_DAY = 10;
const DAY_SECONDS = 24 * 3600;

const payload = z.object({ id: uuidText });

/**
 * Six-digit codes that prove an invited address (docs/contract.md#accepting-an-invitation): derived from their
 * ids, so that no job and no table contains one.
 */
@Injectable()
export class AcceptanceCodes {
  constructor(
    @InjectRepository(InvitationCode) private readonly stored: Repository<InvitationCode>,
    private readonly box: SecretBox,
    private readonly jobs: JobQueue,
    private readonly mailer: Mailer,
    handlers: JobHandlers,
  ) {
    handlers.register(JOB, payload, ({ id }, job) => this.deliver(id, job));
  }

  /** Emails a code to the invited address; earlier ones stop working. @throws CodeLimitError */
  async send(invitation: InvitationView): Promise<void> {
    const id = newId();
    await this.stored.manager.transaction(async (transaction) => {
      await lockForTransaction(transaction, `invitation-codes:${invitation.email}`);
      const sent = await countSentCodes(transaction, invitation.email, DAY_SECONDS);
      if (sent.count >= CODES_PER_DAY) throw new CodeLimitError(sent.wait ?? DAY_SECONDS);
      await transaction.withRepository(this.stored).insert({
        id,
        invitationId: invitation.id,
        generation: invitation.generation,
        email: invitation.email,
        digest: this.digest(id, this.codeOf(id)).toString('hex'),
        createdAt: () => 'clock_timestamp()',
        expiresAt: () => `clock_timestamp() + interval '10 minutes'`,
      });
      await this.jobs.add(transaction, {
        name: JOB,
        payload: { id },
        maxAttempts: SEND_ATTEMPTS,
        queue: `${JOB}:${invitation.id % QUEUES}`,
      });
    });
  }

  /**
   * Accepts the code that was emailed last. Every try is counted before the code is compared, so that concurrent
   * calls get no more tries than consecutive ones.
   * @throws WrongCodeError, CodeVoidError
   */
  async check(invitation: InvitationView, code: string): Promise<void> {
    const tried = { invitationId: invitation.id, generation: invitation.generation };
    const counted = await countTry(this.stored.manager, tried, MAX_TRIES);
    if (!counted) throw new CodeVoidError();
    const given = this.digest(counted.id, code.replace(/\s/g, ''));
    if (timingSafeEqual(given, Buffer.from(counted.digest, 'hex'))) return;
    if (counted.tries >= MAX_TRIES) throw new CodeVoidError();
    throw new WrongCodeError(MAX_TRIES - counted.tries);
  }

  private codeOf(id: string): string {
    return this.box.sixDigits(`invitation-code:${id}`);
  }

  private digest(id: string, code: string): Buffer {
    return this.box.mac(`invitation-code-check:${id}:${code}`);
  }

  private async deliver(id: string, job: RunningJob): Promise<void> {
    const unsent = await selectUnsentCode(this.stored.manager, id);
    if (unsent === null) return;
    const content = codeEmail(unsent.org_name, this.codeOf(id));
    job.lease.assertHeld();
    const outcome = await this.mailer.send({ ...content, to: unsent.email, id: `invitation-code-${id}` });
    if (outcome.kind === 'delayed') throw new MailDelayedError(outcome.detail);
    await this.stored.update({ id }, { sentAt: () => 'clock_timestamp()' });
  }
}

/** Subject, text and HTML of the email with a code. */
function codeEmail(orgName: string, code: string): { subject: string; text: string; html: string } {
  const org = plainName(orgName);
  const subject = `${code} is your code to join ${org}`;
  const warning =
    'If you have an account, the code signs in to all of it. If you are not accepting an invitation right now, somebody else entered your address: do not pass this code on to anybody, whoever asks for it.';
  return {
    subject,
    text: `Your code to join ${org}:\n\n    ${code}\n\nEnter it on the page of the invitation within 10 minutes.\n\n${warning}`,
    html: emailHtml({
      subject,
      preview: `Enter it on the page of the invitation within 10 minutes.`,
      heading: html`Your code to join ${org}`,
      body: [
        html`<span style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:34px;letter-spacing:8px"
          >${code}</span
        >`,
        html`Enter it on the page of the invitation within <strong>10 minutes</strong>.`,
      ],
      footer: warning,
    }),
  };
}
