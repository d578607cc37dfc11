import { Module } from '@nestjs/common';
import { MessageLimits } from './queue/message-limits';
import { QueueStore } from './queue/queue-store';

/** What conversations need of the queues; it needs nothing of theirs, so that they can import it. */
@Module({ providers: [MessageLimits, QueueStore], exports: [MessageLimits, QueueStore] })
export class PendingQueueModule {}
