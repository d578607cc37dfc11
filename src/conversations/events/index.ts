export { EventsModule } from './events.module';
export { isTransient, TRANSIENT_KIND, TransientEvents } from './inbound/transient-events';
export { EVENT_MODELS, EVENT_SCHEMA } from './retrieval/event-schema';
export { type EventLogPage, EventLogReader } from './storage/event-log-reader';
