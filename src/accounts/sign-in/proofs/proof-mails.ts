import { Injectable, Inject } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Raw, Repository } from 'typeorm';
import { z } from 'zod';
import { uuidText, html, digestOf, SecretBox } from '../../../kernel/common';
import { JobHandlers, JobQueue, type RunningJob } from '../../../kernel/jobs';
import { MailDelayedError, Mailer, emailButton, emailHtml, plainName } from '../../mail';
import { SignInProof } from './sign-in-proof.entity';
import { selectUnsentProof } from './sign-in-proofs.read-model';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { LINK_PATH } from '../session/sign-in-paths';

const TOKEN = /^[\w-]{43}$/;

/** Tokens and codes of proofs: derived from their ids, so that neither a table nor a job contains one. */
@Injectable()
export class ProofSecrets {
  constructor(
    private readonly box: SecretBox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The link that a proof's person opens. */
  linkOf(id: string): string {
    return `${publicUrl(this.settings)}${LINK_PATH}?token=${this.tokenOf(id)}`;
  }

  /** The digest of the token of a proof. */
  tokenDigestOf(id: string): string {
    return digestOf(this.tokenOf(id));
  }

  /** The code of a mailed proof: six digits. */
  codeOf(id: string): string {
    return this.box.sixDigits(`sign-in-code:${id}`);
  }

  /** The digest of a code together with its proof. */
  codeDigestOf(id: string, code: string): Buffer {
    return this.box.mac(`sign-in-code-check:${id}:${code}`);
  }

  private tokenOf(id: string): string {
    return this.box.mac(`sign-in-token:${id}`).toString('base64url');
  }
}

/** @returns the digest to look a token up by, or null for a text that cannot be one */
export function digestOfToken(token: string): string | null {
  return TOKEN.test(token) ? digestOf(token) : null;
}

const JOB = 'sign-in-mail';
const CLEAN_UP_SECONDS = 3_600;

/** Attempts to send an email: with the pauses between them they last about as long as a code. */
const SEND_ATTEMPTS = 6;

/** Mails with codes to members of one organization in an hour; the first one to each of them goes beyond it. */
const MOST_IN_ORGANIZATION = 30;

const payload = z.object({ id: uuidText });

/** Mails proofs through durable jobs, which alone find out whether anybody has the address: asking takes equally long. */
@Injectable()
export class ProofMails {
  constructor(
    @InjectRepository(SignInProof) private readonly proofs: Repository<SignInProof>,
    private readonly secrets: ProofSecrets,
    private readonly jobs: JobQueue,
    private readonly mailer: Mailer,
    handlers: JobHandlers,
  ) {
    handlers.register(JOB, payload, ({ id }, job) => this.deliver(id, job));
    handlers.every('sign-in-proof-clean-up', CLEAN_UP_SECONDS, () => this.deleteOld());
  }

  /** Mails a proof, or a notice about it, to its person once the transaction commits. */
  async queue(transaction: EntityManager, id: string): Promise<void> {
    if (!this.mailer.configured) return;
    await this.jobs.add(transaction, { name: JOB, payload: { id }, maxAttempts: SEND_ATTEMPTS });
  }

  private async deliver(id: string, job: RunningJob): Promise<void> {
    const unsent = await selectUnsentProof(this.proofs.manager, id);
    if (unsent === null) return;
    const { org_name, maker_email, sent_in_organization } = unsent;
    const isNotice = org_name !== null && maker_email !== null;
    if (!isNotice && sent_in_organization >= MOST_IN_ORGANIZATION) {
      // A link that was never sent can only have been guessed.
      await this.proofs.update({ id }, { usedAt: () => 'clock_timestamp()' });
      return;
    }
    const content = isNotice
      ? linkNotice(org_name, maker_email)
      : signInEmail(this.secrets.codeOf(id), this.secrets.linkOf(id));
    job.lease.assertHeld();
    const outcome = await this.mailer.send({ ...content, to: unsent.email, id: `sign-in-${id}` });
    if (outcome.kind === 'delayed') throw new MailDelayedError(outcome.detail);
    await this.proofs.update({ id }, { sentAt: () => 'clock_timestamp()' });
  }

  private async deleteOld(): Promise<void> {
    // By the database's clock, which set the times.
    await this.proofs.delete({ createdAt: Raw((column) => `${column} < now() - interval '25 hours'`) });
  }
}

/** The content of an email. */
interface EmailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The email with which somebody signs in. */
function signInEmail(code: string, link: string): EmailContent {
  const subject = `${code} is your code to sign in`;
  const warning =
    'If you are not signing in right now, somebody else entered your address: do not pass the code or the link on to anybody.';
  return {
    subject,
    text: `Your code to sign in:\n\n    ${code}\n\nEnter it on the sign-in page within 10 minutes, or open this link:\n${link}\n\n${warning}`,
    html: emailHtml({
      subject,
      preview: 'Enter it on the sign-in page within 10 minutes.',
      heading: html`Your code to sign in`,
      body: [
        html`<span style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:34px;letter-spacing:8px"
          >${code}</span
        >`,
        html`Enter it on the sign-in page within <strong>10 minutes</strong>, or use this link:`,
        emailButton(link, 'Sign in'),
      ],
      footer: warning,
    }),
  };
}

/** The email that notifies somebody of a sign-in link that an administrator made for them. */
function linkNotice(orgName: string, makerEmail: string): EmailContent {
  const org = plainName(orgName);
  const subject = `A link to sign in as you was made in ${org}`;
  const what = `${makerEmail} made a link that signs in as you, once, within an hour, in ${org} only.`;
  const warning = `If you did not ask for it, tell an owner of ${org}, and revoke the key "Sign-in link" among your keys: that ends the session.`;
  return {
    subject,
    text: [what, 'You get the link from them.', warning].join('\n\n'),
    html: emailHtml({
      subject,
      preview: what,
      heading: html`A link to sign in was made`,
      body: [html`${what}`, html`You get the link from them.`],
      footer: warning,
    }),
  };
}
