import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonalDataModule } from '../../accounts/personal-data';
import { PersonalMessages } from './personal/personal-messages';
import { AgentServerModule } from '../../sandboxes/agent-server';
import { AgentMessagesModule } from '../conversations';
import { DeliveryRepository } from './delivery/delivery.repository';
import { DeliveryRun } from './delivery/delivery-run';
import { DeliveryRuns } from './delivery/delivery-runs';
import { FaultPoints } from '../../kernel/leases';
import { DeliveryTargets } from './delivery/delivery-targets';
import { RunWaits } from './after-run/run-waits';
import { MessageSender } from './delivery/message-sender';
import { DeliveryVerifier } from './delivery/delivery-verifier';
import { PendingMessagesController } from './queue/pending-messages.controller';
import { PendingMessages } from './queue/pending-messages';
import { PendingMessagesService } from './queue/pending-messages.service';
import { QueueRefs } from './queue/queue-ref';
import { MessageQueue } from './record/message-queue.entity';
import { PendingMessage } from './record/pending-message.entity';
import { QueueLeases } from './leases/queue-leases';
import { QueueCleanUp } from './upkeep/queue-clean-up';
import { QueueMetrics } from './upkeep/queue-metrics';
import { MessageEnqueuer } from './queue/message-enqueuer';
import { PendingQueueModule } from './pending-queue.module';
import { QueueChanges } from './queue/queue-changes';
import { QueueKeyScope } from './queue/queue-key-scope';
import { QueueWaker } from './upkeep/queue-waker';
import { StorageMetrics } from './upkeep/storage-metrics';

/** Messages that wait for their conversation, and their delivery. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MessageQueue, PendingMessage]),
    AgentMessagesModule,
    AgentServerModule,
    PendingQueueModule,
    PersonalDataModule,
  ],
  controllers: [PendingMessagesController],
  providers: [
    DeliveryRepository,
    DeliveryRun,
    DeliveryRuns,
    FaultPoints,
    DeliveryTargets,
    DeliveryVerifier,
    MessageSender,
    RunWaits,
    PendingMessagesService,
    QueueChanges,
    QueueRefs,
    PersonalMessages,
    QueueLeases,
    QueueCleanUp,
    QueueMetrics,
    MessageEnqueuer,
    QueueKeyScope,
    QueueWaker,
    StorageMetrics,
    PendingMessages,
  ],
  exports: [PendingMessages, QueueCleanUp],
})
export class PendingMessagesModule {}
