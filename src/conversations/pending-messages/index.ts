export { DeliveryRuns } from './delivery/delivery-runs';
export { PendingMessagesModule } from './pending-messages.module';
export { PendingQueueModule } from './pending-queue.module';
export { QueueStore } from './queue/queue-store';
export { MessageInsertion } from './queue/message-insertion';
export { MessageLimits } from './queue/queue-changes';
