import { Module } from '@nestjs/common';
import { DeliveryStore } from './delivery-store';
import { LaneSignal } from './lane-signal';
import { WebhookDisabling } from './webhook-disabling';
import { FaultPoints } from '../../../kernel/leases';

/** What is to be delivered, and the notification of those who deliver it. */
@Module({
  providers: [DeliveryStore, LaneSignal, WebhookDisabling, FaultPoints],
  exports: [DeliveryStore, LaneSignal, WebhookDisabling, FaultPoints],
})
export class DeliveryQueueModule {}
