import { Module } from '@nestjs/common';
import { AgentServerModule } from '../../sandboxes/agent-server';
import { PersonalDataModule } from '../../accounts/personal-data';
import { PersonalEvents } from './personal/personal-events';
import { EventBackfill, BackfillOnRunning, ConversationRefresh } from './state/event-backfill';
import { EventArchiveController } from './archive/event-archive.controller';
import { EventArchive } from './archive/event-archive.service';
import { StopNotice } from './own/stop-notice';
import { EventRemoval } from './storage/event-removal';
import { EventLogReader } from './storage/event-log-reader';
import { EventRepository, EventLimits } from './storage/event.repository';
import { Events } from './retrieval/events';
import { EventsController } from './retrieval/events.controller';
import { EventsService, EventLookUp } from './retrieval/events.service';
import { EventIntake } from './inbound/event-intake';
import { InboundConversations } from './inbound/inbound-conversations';
import { InboundController } from './inbound/inbound.controller';
import { InboundService, InboundBatches, TransientEvents } from './inbound/inbound.service';

/** Events of conversations: taken from agent servers, stored, and read. */
@Module({
  imports: [AgentServerModule, PersonalDataModule],
  controllers: [EventsController, EventArchiveController, InboundController],
  providers: [
    EventBackfill,
    EventIntake,
    ConversationRefresh,
    BackfillOnRunning,
    EventArchive,
    EventLimits,
    EventLookUp,
    EventRemoval,
    EventRepository,
    Events,
    EventsService,
    EventLogReader,
    InboundBatches,
    InboundConversations,
    InboundService,
    PersonalEvents,
    StopNotice,
    TransientEvents,
  ],
  exports: [EventLogReader, EventRemoval, Events, TransientEvents],
})
export class EventsModule {}
