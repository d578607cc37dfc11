import { Module } from '@nestjs/common';
import { MessageInsertion } from './queue/message-insertion';
import { MessageLimits } from './queue/queue-changes';
import { QueueStore } from './queue/queue-store';

/** The queues for conversations; imports nothing of theirs, so that they can import it. */
@Module({
  providers: [MessageInsertion, MessageLimits, QueueStore],
  exports: [MessageInsertion, MessageLimits, QueueStore],
})
export class PendingQueueModule {}
