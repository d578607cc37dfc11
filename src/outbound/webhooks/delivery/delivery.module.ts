import { HttpModule } from '@nestjs/axios';
import { Module } from '@nestjs/common';
import { WebhookAddressesModule } from '../addresses/webhook-addresses.module';
import { DeliveryQueueModule } from '../queue/delivery-queue.module';
import { WebhookSecretsModule } from '../secrets/webhook-secrets.module';
import { CallbackSender } from './callback/callback-sender';
import { EventTexts } from './callback/event-texts';
import { LaneDispatcher } from './lanes/lane-dispatcher';
import { LaneLeases } from './leases/lane-leases';
import { LaneRun, RequestSlots } from './lanes/lane-run';
import { Settlements, DeliveryCounts } from './settlement/settlements';

/** The delivery of what is pending. */
@Module({
  imports: [HttpModule, WebhookAddressesModule, WebhookSecretsModule, DeliveryQueueModule],
  providers: [
    CallbackSender,
    DeliveryCounts,
    EventTexts,
    LaneDispatcher,
    LaneLeases,
    LaneRun,
    RequestSlots,
    Settlements,
  ],
})
export class DeliveryModule {}
