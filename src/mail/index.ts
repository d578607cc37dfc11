export type { EmailMessage, MailOutcome } from './email-message';
export { MailModule } from './mail.module';
export { Mailer } from './mailer';
