import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../accounts/mail';
import { PersonalDataModule } from '../../accounts/personal-data';
import { PersonalDeliveries } from './personal/personal-deliveries';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { DeliveriesService } from './deliveries/deliveries.service';
import { DeliveryModule } from './delivery.module';
import { CallbackDocuments } from './callback-documents';
import { WebhookOperationsController } from './endpoints/webhook-operations.controller';
import { WebhookOperationsService } from './endpoints/webhook-operations.service';
import { WebhooksController } from './endpoints/webhooks.controller';
import { WebhooksRepository } from './endpoints/webhooks.repository';
import { WebhooksService } from './endpoints/webhooks.service';
import { WebhookAttempt } from './record/webhook-attempt.entity';
import { WebhookDelivery } from './record/webhook-delivery.entity';
import { WebhookLane } from './record/webhook-lane.entity';
import { Webhook } from './record/webhook.entity';
import { OwnerMails } from './upkeep/owner-mails';
import { PendingMetrics } from './upkeep/pending-metrics';
import { WebhookCleanUp } from './upkeep/webhook-clean-up';

/** Endpoints of organizations that are called back when something happens (docs/webhooks.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, WebhookLane, WebhookDelivery, WebhookAttempt]),
    DeliveryModule,
    MailModule,
    PersonalDataModule,
  ],
  controllers: [WebhooksController, WebhookOperationsController, DeliveriesController],
  providers: [
    CallbackDocuments,
    DeliveriesService,
    OwnerMails,
    PendingMetrics,
    PersonalDeliveries,
    WebhookCleanUp,
    WebhookOperationsService,
    WebhooksRepository,
    WebhooksService,
  ],
  exports: [WebhookCleanUp],
})
export class WebhooksModule {}
