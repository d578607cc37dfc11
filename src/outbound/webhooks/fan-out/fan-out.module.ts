import { Module } from '@nestjs/common';
import { DeliveryQueueModule } from '../queue/delivery-queue.module';
import { WebhookFanOut } from './webhook-fan-out';

/** Turns domain events into deliveries. */
@Module({ imports: [DeliveryQueueModule], providers: [WebhookFanOut] })
export class FanOutModule {}
