import { Module } from '@nestjs/common';
import { AgentServerModule } from '../agent-server';
import { Backfill } from './backfill';
import { ConversationRefresh } from './conversation-refresh';
import { ConversationState } from './conversation-state';
import { EventArchiveController } from './event-archive.controller';
import { EventArchive } from './event-archive.service';
import { EventStore } from './event-store';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';
import { InboundConversations } from './inbound-conversations';
import { InboundController } from './inbound.controller';
import { InboundService } from './inbound.service';

/** Events of conversations: taken from agent servers, kept, and read. */
@Module({
  imports: [AgentServerModule],
  controllers: [EventsController, EventArchiveController, InboundController],
  providers: [
    Backfill,
    ConversationRefresh,
    ConversationState,
    EventArchive,
    EventStore,
    EventsService,
    InboundConversations,
    InboundService,
  ],
})
export class EventsModule {}
