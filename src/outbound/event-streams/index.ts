export { EventStreamsModule } from './event-streams.module';
export { OpenStreams } from './connections/open-streams';
export { StreamTickets } from './tickets/stream-tickets';
export { StreamTicketsModule } from './tickets/stream-tickets.module';
