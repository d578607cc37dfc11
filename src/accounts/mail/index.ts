export { emailButton, emailHtml, type EmailParts } from './email-layout';
export type { EmailMessage, MailOutcome } from './email-message';
export { MailDelayedError } from './email-message';
export { MailModule } from './mail.module';
export { Mailer, type MailTransport } from './mailer';
export { plainName } from './email-layout';
