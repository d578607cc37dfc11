export { type EventPosition, Events, type EventsFromPosition, type Note } from './retrieval/events';
export { EventsModule } from './events.module';
export { isTransient, TRANSIENT_KIND, TransientEvents } from './inbound/inbound.service';
export { EVENT_MODELS, EVENT_SCHEMA } from './retrieval/event-schema';
export { type EventLogPage, EventLogReader } from './storage/event-log-reader';
export { EventRemoval } from './storage/event-removal';
