import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../accounts/mail';
import { EventsModule } from '../../conversations/events';
import { PendingMessagesModule } from '../../conversations/pending-messages';
import { WebhooksModule } from '../../outbound/webhooks';
import { Announcements } from './announcements/announcements';
import { RetentionAnnouncement } from './announcements/retention-announcement.entity';
import { WarningMails } from './announcements/warning-mails';
import { DueCounts } from './due/due-counts';
import { OrgRetention } from './periods/org-retention.entity';
import { RetentionController } from './periods/retention.controller';
import { RetentionService } from './periods/retention.service';
import { Removals } from './runs/removals';
import { RetentionRun } from './runs/retention-run.entity';
import { RetentionJobs } from './runs/retention-jobs';
import { RetentionRuns } from './runs/retention-runs';
import { RunRecord } from './runs/run-record';

/** How long what is kept, and its removal after that (docs/retention.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([OrgRetention, RetentionAnnouncement, RetentionRun]),
    EventsModule,
    MailModule,
    PendingMessagesModule,
    WebhooksModule,
  ],
  controllers: [RetentionController],
  providers: [
    Announcements,
    DueCounts,
    Removals,
    RetentionJobs,
    RetentionRuns,
    RetentionService,
    RunRecord,
    WarningMails,
  ],
  exports: [RetentionRuns],
})
export class RetentionModule {}
