import { Module } from '@nestjs/common';
import { Mailer, MailMetrics } from './mailer';

/** Outgoing mail. */
@Module({ providers: [Mailer, MailMetrics], exports: [Mailer] })
export class MailModule {}
