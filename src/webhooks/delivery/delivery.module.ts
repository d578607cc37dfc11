import { HttpModule } from '@nestjs/axios';
import { Module } from '@nestjs/common';
import { WebhookAddressesModule } from '../addresses/webhook-addresses.module';
import { DeliveryQueueModule } from '../queue/delivery-queue.module';
import { WebhookSecretsModule } from '../secrets/webhook-secrets.module';
import { CallbackSender } from './callback-sender';
import { DeliveryCounts } from './delivery-counts';
import { EventTexts } from './event-texts';
import { LaneDispatcher } from './lane-dispatcher';
import { LaneLeases } from './lane-leases';
import { LaneRun } from './lane-run';
import { RequestSlots } from './request-slots';
import { Settlements } from './settlements';

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
