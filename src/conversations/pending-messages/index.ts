export { DeliveryRuns } from './delivery/delivery-runs';
export { type GivenMessage, PendingMessages } from './queue/pending-messages';
export type { PendingMessageResponse, QueuedMessage } from './queue/pending-messages.dto';
export { PendingMessagesModule } from './pending-messages.module';
export { PendingQueueModule } from './pending-queue.module';
export { QueueStore } from './queue/queue-store';
export { MessageInsertion } from './queue/message-insertion';
export { MessageLimits } from './queue/queue-changes';
export { QueueCleanUp } from './upkeep/queue-clean-up';
