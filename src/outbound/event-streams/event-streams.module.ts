import { Module } from '@nestjs/common';
import { AgentMessagesModule } from '../../conversations/conversations';
import { EventsModule } from '../../conversations/events';
import { EventStreams } from './connections/event-streams';
import { OpenStreams } from './connections/open-streams';
import { StreamMetrics } from './connections/stream-metrics';
import { StreamWatch } from './connections/stream-watch';
import { ConversationStreamController } from './conversation-stream.controller';
import { OrganizationStreamController } from './organization-stream.controller';
import { ConversationSource } from './sources/conversation-source';
import { NewsSource } from './sources/news-source';
import { OrganizationSource } from './sources/organization-source';
import { ConversationTails, NewsTails, OrganizationTails } from './tails/tails';
import { StreamTicketsModule } from './tickets/stream-tickets.module';
import { TransientRelay } from './wake/transient-relay';
import { WakeUps, StreamReaders } from './wake/wake-ups';
import { WordListeners } from './wake/word-listeners';
import { WordSockets } from './wake/word-sockets';

/** Streams of events that resume (docs/streams.md). */
@Module({
  imports: [AgentMessagesModule, EventsModule, StreamTicketsModule],
  controllers: [ConversationStreamController, OrganizationStreamController],
  providers: [
    EventStreams,
    OpenStreams,
    StreamMetrics,
    StreamWatch,
    ConversationSource,
    NewsSource,
    OrganizationSource,
    {
      provide: ConversationTails,
      inject: [ConversationSource],
      useFactory: (source: ConversationSource) => new ConversationTails(source),
    },
    {
      provide: NewsTails,
      inject: [NewsSource],
      useFactory: (source: NewsSource) => new NewsTails(source),
    },
    {
      provide: OrganizationTails,
      inject: [OrganizationSource],
      useFactory: (source: OrganizationSource) => new OrganizationTails(source),
    },
    StreamReaders,
    TransientRelay,
    WakeUps,
    WordListeners,
    WordSockets,
  ],
  exports: [OpenStreams],
})
export class EventStreamsModule {}
