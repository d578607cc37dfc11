export { emailButton, emailHtml, type EmailParts } from './email-layout';
export type { EmailMessage, MailOutcome } from './email-message';
export type { MailTransport } from './mail-transport';
export { MailDelayedError } from './mail-delayed.error';
export { MailModule } from './mail.module';
export { Mailer } from './mailer';
export { plainName } from './plain-name';
