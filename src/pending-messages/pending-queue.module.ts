import { Module } from '@nestjs/common';
import { QueueStore } from './queue/queue-store';

/** What conversations need of the queues; it needs nothing of theirs, so that they can import it. */
@Module({ providers: [QueueStore], exports: [QueueStore] })
export class PendingQueueModule {}
