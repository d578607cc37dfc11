export type { EmailMessage, MailOutcome } from './email-message';
export type { MailTransport } from './mail-transport';
export { MailModule } from './mail.module';
export { Mailer } from './mailer';
