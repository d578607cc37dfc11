import { Module } from '@nestjs/common';
import { MailMetrics } from './mail-metrics';
import { Mailer } from './mailer';

/** Outgoing mail. */
@Module({ providers: [Mailer, MailMetrics], exports: [Mailer] })
export class MailModule {}
