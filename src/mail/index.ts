export type { Letter, MailOutcome } from './letter';
export { MailModule } from './mail.module';
export { Mailer } from './mailer';
