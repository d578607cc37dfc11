import { Module } from '@nestjs/common';
import { MailModule } from '../../../accounts/mail';
import { DeliveryQueueModule } from '../queue/delivery-queue.module';
import { OwnerMails } from './owner-mails';
import { PendingMetrics } from './pending-metrics';
import { WebhookCleanUp } from './webhook-clean-up';

/** Background work on endpoints and deliveries. */
@Module({
  imports: [DeliveryQueueModule, MailModule],
  providers: [OwnerMails, PendingMetrics, WebhookCleanUp],
})
export class UpkeepModule {}
