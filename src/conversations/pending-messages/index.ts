export { DeliveryRuns } from './delivery/delivery-runs';
export { type GivenMessage, PendingMessages } from './queue/pending-messages';
export { PendingMessagesModule } from './pending-messages.module';
export { PendingQueueModule } from './pending-queue.module';
export { QueueStore } from './queue/queue-store';
export { MessageInsertion } from './queue/message-insertion';
export { MessageLimits } from './queue/queue-changes';
