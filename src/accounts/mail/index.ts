export { emailButton, emailHtml, type EmailParts } from './email-layout';
export type { EmailMessage, MailOutcome } from './email-message';
export { MailDelayedError } from './mail-delayed.error';
export { MailModule } from './mail.module';
export { Mailer, type MailTransport } from './mailer';
export { plainName } from './plain-name';
