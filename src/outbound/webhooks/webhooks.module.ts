import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhookAddressesModule } from './addresses/webhook-addresses.module';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { DeliveriesService } from './deliveries/deliveries.service';
import { DeliveryModule } from './delivery/delivery.module';
import { CallbackDocuments } from './document/callback-documents';
import { WebhookOperationsController } from './endpoints/webhook-operations.controller';
import { WebhookOperationsService } from './endpoints/webhook-operations.service';
import { WebhooksController } from './endpoints/webhooks.controller';
import { WebhooksRepository } from './endpoints/webhooks.repository';
import { WebhooksService } from './endpoints/webhooks.service';
import { FanOutModule } from './fan-out/fan-out.module';
import { DeliveryQueueModule } from './queue/delivery-queue.module';
import { WebhookAttempt } from './record/webhook-attempt.entity';
import { WebhookDelivery } from './record/webhook-delivery.entity';
import { WebhookLane } from './record/webhook-lane.entity';
import { Webhook } from './record/webhook.entity';
import { WebhookSecretsModule } from './secrets/webhook-secrets.module';
import { UpkeepModule } from './upkeep/upkeep.module';

/** Endpoints of organizations that are called back when something happens (docs/webhooks.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, WebhookLane, WebhookDelivery, WebhookAttempt]),
    FanOutModule,
    DeliveryModule,
    UpkeepModule,
    DeliveryQueueModule,
    WebhookAddressesModule,
    WebhookSecretsModule,
  ],
  controllers: [WebhooksController, WebhookOperationsController, DeliveriesController],
  providers: [
    CallbackDocuments,
    DeliveriesService,
    WebhookOperationsService,
    WebhooksRepository,
    WebhooksService,
  ],
})
export class WebhooksModule {}
