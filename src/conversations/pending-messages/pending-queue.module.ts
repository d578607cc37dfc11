import { Module } from '@nestjs/common';
import { MessageInsertion } from './queue/message-insertion';
import { MessageLimits } from './queue/queue-changes';
import { QueueStore } from './queue/queue-store';

/** What conversations need of the queues; it needs nothing of theirs, so that they can import it. */
@Module({
  providers: [MessageInsertion, MessageLimits, QueueStore],
  exports: [MessageInsertion, MessageLimits, QueueStore],
})
export class PendingQueueModule {}
