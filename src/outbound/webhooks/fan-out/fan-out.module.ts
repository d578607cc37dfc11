import { Module } from '@nestjs/common';
import { DeliveryQueueModule } from '../queue/delivery-queue.module';
import { WebhookFanOut } from './webhook-fan-out';

/** From what happened to what is to be delivered. */
@Module({ imports: [DeliveryQueueModule], providers: [WebhookFanOut] })
export class FanOutModule {}
