import { Module } from '@nestjs/common';
import { AgentServerModule } from '../agent-server';
import { DeliveryJob } from './delivery-job';
import { DeliveryRows } from './delivery-rows';
import { DeliveryRun } from './delivery-run';
import { DeliveryRuns } from './delivery-runs';
import { DeliverySteps } from './delivery-steps';
import { DeliveryTargets } from './delivery-targets';
import { Doubt } from './doubt';
import { PendingMessagesController } from './pending-messages.controller';
import { PendingMessagesService } from './pending-messages.service';
import { QueueAddresses } from './queue-address';
import { QueueClaims } from './queue-claims';
import { QueueCleanUp } from './queue-clean-up';
import { QueueEntrance } from './queue-entrance';
import { QueueKeyScope } from './queue-key-scope';
import { WakeUps } from './wake-ups';

/** Messages that wait for their conversation, and their delivery. */
@Module({
  imports: [AgentServerModule],
  controllers: [PendingMessagesController],
  providers: [
    DeliveryJob,
    DeliveryRows,
    DeliveryRun,
    DeliveryRuns,
    DeliverySteps,
    DeliveryTargets,
    Doubt,
    PendingMessagesService,
    QueueAddresses,
    QueueClaims,
    QueueCleanUp,
    QueueEntrance,
    QueueKeyScope,
    WakeUps,
  ],
})
export class PendingMessagesModule {}
