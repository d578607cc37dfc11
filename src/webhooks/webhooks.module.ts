import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveryModule } from './delivery/delivery.module';
import { FanOutModule } from './fan-out/fan-out.module';
import { WebhookAttempt } from './record/webhook-attempt.entity';
import { WebhookDelivery } from './record/webhook-delivery.entity';
import { WebhookLane } from './record/webhook-lane.entity';
import { Webhook } from './record/webhook.entity';
import { UpkeepModule } from './upkeep/upkeep.module';

/** Endpoints of organizations that are called back when something happens (docs/webhooks.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, WebhookLane, WebhookDelivery, WebhookAttempt]),
    FanOutModule,
    DeliveryModule,
    UpkeepModule,
  ],
})
export class WebhooksModule {}
