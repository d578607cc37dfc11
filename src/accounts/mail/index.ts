export { emailButton, emailHtml, type EmailParts, plainName } from './email-layout';
export { type EmailMessage, MailDelayedError, type MailOutcome } from './email-message';
export { MailModule } from './mail.module';
export { Mailer, type MailTransport } from './mailer';
