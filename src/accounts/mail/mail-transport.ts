import type { EmailMessage, MailOutcome } from './email-message';

/** A way for emails to leave the service, of an extension; `Mailer.use` takes it in place of `SMTP_URL`. */
export interface MailTransport {
  /** Sends one email; `delayed` is tried again, and so is whatever it throws. Called from jobs: it may be slow. */
  send(email: EmailMessage): Promise<MailOutcome>;
}
