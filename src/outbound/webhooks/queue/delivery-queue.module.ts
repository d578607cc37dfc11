import { Module } from '@nestjs/common';
import { DeliveryStore } from './delivery-store';
import { LaneSignal } from './lane-signal';
import { WebhookDisabling } from './webhook-disabling';
import { WebhookFaultPoints } from './webhook-fault-points';

/** What is to be delivered, and the notification of those who deliver it. */
@Module({
  providers: [DeliveryStore, LaneSignal, WebhookDisabling, WebhookFaultPoints],
  exports: [DeliveryStore, LaneSignal, WebhookDisabling, WebhookFaultPoints],
})
export class DeliveryQueueModule {}
