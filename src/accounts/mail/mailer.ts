import { domainToASCII } from 'node:url';
import { SpanKind } from '@opentelemetry/api';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { messageOf, StartError } from '../../kernel/common';
import { SETTINGS, type Settings } from '../../kernel/config';
import { failSpan, inSpan } from '../../kernel/telemetry';
import type { EmailMessage, MailOutcome } from './email-message';
import { smtpOptions } from './smtp-options';
import { Counter } from 'prom-client';
import { Metrics } from '../../kernel/http';

const MAX_REPLY = 300;

/** Commands whose refusal is about this email or its recipient, not about us. */
const MESSAGE_COMMANDS = new Set(['RCPT TO', 'DATA']);

/**
 * Decides whether a failure to send is permanent. A 5xx to the recipient or the message is; a mail server that
 * is unreachable, slow, busy (4xx), or that refuses our sender or password may accept the same email later, once
 * an operator has looked at it.
 */
function outcomeOfFailure(error: unknown): Exclude<MailOutcome, { kind: 'sent' }> {
  const { responseCode, command, code, response } = partsOf(error);
  if (responseCode === null)
    return code === 'EENVELOPE'
      ? { kind: 'refused', detail: 'The address cannot be mailed.' }
      : { kind: 'delayed', detail: 'The mail server cannot be reached; it is tried again.' };
  if (!MESSAGE_COMMANDS.has(command))
    return {
      kind: 'delayed',
      detail: 'The mail server does not take mail from this service; it is tried again.',
    };
  // 503 is about the order of commands in the session.
  return responseCode >= 500 && responseCode !== 503
    ? { kind: 'refused', detail: `The mail server refused the mail: ${response}` }
    : { kind: 'delayed', detail: `The mail server asks to try again later: ${response}` };
}

function partsOf(error: unknown): {
  responseCode: number | null;
  command: string;
  code: string;
  response: string;
} {
  const get = (name: string): unknown =>
    typeof error === 'object' && error !== null && name in error ? Reflect.get(error, name) : undefined;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const responseCode = get('responseCode');
  return {
    responseCode: typeof responseCode === 'number' ? responseCode : null,
    command: text(get('command')),
    code: text(get('code')),
    response: sanitizedReply(text(get('response'))),
  };
}

/**
 * The reply of a mail server, fit to be stored and logged: on one line, and without the query strings of links,
 * which it may repeat from the email and which carry tokens.
 */
function sanitizedReply(reply: string): string {
  return reply
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/\?[^\s?]*=\S*/g, '?…')
    .slice(0, MAX_REPLY);
}

const NOT_ASCII = /[^\x00-\x7f]/;

/** Sends emails, over SMTP unless an extension has another transport. To be called from jobs: a mail server may be slow. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly smtp: ReturnType<typeof smtpOptions> | null;
  private opened: Promise<Transporter> | undefined;
  private replacement: MailTransport | null = null;
  private readonly from: string;
  private readonly server: Readonly<Record<string, string | number>>;
  private readonly idDomain: string;
  private readonly end = new AbortController();
  /**
   * Attempts of this process, by their outcome.
   * @internal
   */
  readonly attempts: Record<MailOutcome['kind'], number> = { sent: 0, delayed: 0, refused: 0 };

  constructor(@Inject(SETTINGS) { SMTP_URL, MAIL_FROM }: Settings) {
    this.smtp = SMTP_URL === undefined ? null : smtpOptions(SMTP_URL);
    this.server = SMTP_URL === undefined ? {} : addressOf(new URL(SMTP_URL));
    this.from = MAIL_FROM ?? '';
    this.idDomain = /@([^\s<>"@]+?)>?\s*$/.exec(this.from)?.[1] ?? 'localhost';
  }

  /**
   * Replaces the mail server by another transport.
   * @throws StartError when there is one already
   */
  use(transport: MailTransport): void {
    if (this.replacement !== null) throw new StartError('There are two extensions with a mail transport.');
    this.replacement = transport;
  }

  /** False where no mail server is configured: then nothing is to be sent. */
  get configured(): boolean {
    return this.smtp !== null || this.replacement !== null;
  }

  /**
   * Connects, greets and logs in, and sends nothing.
   * @returns what is wrong with that, or null
   * @internal
   */
  async problem(): Promise<string | null> {
    try {
      if (this.smtp !== null) await (await this.transport(this.smtp)).verify();
      return null;
    } catch (error) {
      return sanitizedReply(messageOf(error));
    }
  }

  /** Runs after the jobs were given their time to finish. */
  onApplicationShutdown(): void {
    this.end.abort(new Error('The service stops.'));
    void this.opened?.then((transport) => transport.close());
  }

  /**
   * Sends one email; `delayed` is to be tried again. Once begun it goes on until the service shuts down: when
   * sending is cut off, it is unknown whether the mail server accepted the email.
   */
  send(email: EmailMessage): Promise<MailOutcome> {
    if (this.replacement !== null) return this.sendBy(this.replacement, email);
    const { smtp } = this;
    if (smtp === null) return Promise.resolve({ kind: 'refused', detail: 'No mail server is configured.' });
    const attributes = { 'network.protocol.name': 'smtp', ...this.server };
    return inSpan('send mail', { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const outcome = await this.exchange(await this.transport(smtp), email);
      if (outcome.kind !== 'sent') failSpan(span, outcome.kind);
      return outcome;
    });
  }

  /** Its library is loaded for the first email. */
  private transport(smtp: ReturnType<typeof smtpOptions>): Promise<Transporter> {
    this.opened ??= import('nodemailer').then(({ createTransport }) => createTransport(smtp));
    return this.opened;
  }

  private async exchange(transport: Transporter, email: EmailMessage): Promise<MailOutcome> {
    // Objects, not text: an address is never parsed as a list.
    const to = { name: '', address: wireAddress(email.to) };
    try {
      await transport.sendMail({
        from: this.from,
        to,
        subject: oneLine(email.subject),
        text: email.text,
        html: email.html,
        messageId: `<${email.id}@${this.idDomain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
        // A signal of its own for each email: listeners would pile up on a shared one.
        signal: AbortSignal.any([this.end.signal]),
      });
      this.attempts.sent++;
      return { kind: 'sent' };
    } catch (error) {
      this.end.signal.throwIfAborted();
      const outcome = outcomeOfFailure(error);
      this.attempts[outcome.kind]++;
      this.logger.warn(`Mail ${email.id} is ${outcome.kind}: ${sanitizedReply(messageOf(error))}`);
      return outcome;
    }
  }

  private async sendBy(transport: MailTransport, email: EmailMessage): Promise<MailOutcome> {
    const outcome = await transport.send(email).catch((error: unknown): MailOutcome => {
      this.logger.warn(`Mail ${email.id} is delayed: ${sanitizedReply(messageOf(error))}`);
      return { kind: 'delayed', detail: 'The mail transport failed; it is tried again.' };
    });
    this.attempts[outcome.kind]++;
    return outcome;
  }
}

/** By the names of a span's attributes. */
function addressOf({ hostname, port }: URL): Record<string, string | number> {
  return { 'server.address': hostname, ...(port !== '' && { 'server.port': Number(port) }) };
}

/** The address with its domain in ASCII, unless its local part needs a server that accepts both in Unicode. */
function wireAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  return NOT_ASCII.test(local) ? address : `${local}@${domainToASCII(address.slice(at + 1))}`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** A way for emails to leave the service, of an extension; `Mailer.use` takes it in place of `SMTP_URL`. */
export interface MailTransport {
  /** Sends one email; `delayed` is tried again, and so is whatever it throws. Called from jobs: it may be slow. */
  send(email: EmailMessage): Promise<MailOutcome>;
}

/** Metrics of the mails of this process. */
@Injectable()
export class MailMetrics {
  constructor(metrics: Metrics, mailer: Mailer) {
    // Not in the parameters, whose names would be in the declarations of the package.
    const { attempts } = mailer;
    new Counter({
      name: 'mails_total',
      help: 'Attempts to send a mail: sent, delayed (to be tried again) or refused for good.',
      labelNames: ['result'] as const,
      registers: [metrics.registry],
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(attempts)) this.inc({ result }, count);
      },
    });
  }
}
