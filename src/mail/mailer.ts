import { domainToASCII } from 'node:url';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { SETTINGS, type Settings } from '../config';
import type { EmailMessage, MailOutcome } from './email-message';
import { fitForNotes, outcomeOfFailure } from './send-failure';
import { smtpOptions } from './smtp-options';

const NOT_ASCII = /[^\x00-\x7f]/;

/** Sends mails over SMTP. To be called from jobs: a mail server may be slow. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly transport: Transporter | null;
  private readonly from: string;
  private readonly idDomain: string;
  private readonly end = new AbortController();

  constructor(@Inject(SETTINGS) { SMTP_URL, MAIL_FROM }: Settings) {
    this.transport = SMTP_URL === undefined ? null : createTransport(smtpOptions(SMTP_URL));
    this.from = MAIL_FROM ?? '';
    this.idDomain = /@([^\s<>"@]+?)>?\s*$/.exec(this.from)?.[1] ?? 'localhost';
  }

  /** False where no mail server is configured: then nothing is to be sent. */
  get configured(): boolean {
    return this.transport !== null;
  }

  /** After the jobs: what they were given to come to an end is over. */
  onApplicationShutdown(): void {
    this.end.abort(new Error('The service stops.'));
    this.transport?.close();
  }

  /**
   * Sends one mail; anything but `sent` and `refused` is to be tried again. Once begun it goes on until the
   * service is over: of one that is cut off nobody knows whether the mail server took it.
   */
  async send(letter: EmailMessage): Promise<MailOutcome> {
    if (this.transport === null) return { kind: 'refused', detail: 'No mail server is configured.' };
    // Objects, not text: an address is never parsed as a list.
    const to = { name: '', address: wireAddress(letter.to) };
    try {
      await this.transport.sendMail({
        from: this.from,
        to,
        subject: oneLine(letter.subject),
        text: letter.text,
        html: letter.html,
        messageId: `<${letter.id}@${this.idDomain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
        // One of its own for each mail: listeners would pile up.
        signal: AbortSignal.any([this.end.signal]),
      });
      return { kind: 'sent' };
    } catch (error) {
      this.end.signal.throwIfAborted();
      const outcome = outcomeOfFailure(error);
      this.logger.warn(`Mail ${letter.id} is ${outcome.kind}: ${fitForNotes(messageOf(error))}`);
      return outcome;
    }
  }
}

/** The address with its domain in ASCII, unless its local part needs a server that takes both as they are. */
function wireAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  return NOT_ASCII.test(local) ? email : `${local}@${domainToASCII(email.slice(at + 1))}`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
