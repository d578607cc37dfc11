/** Publishes events to listeners. */
export declare class DomainEventsModule {
}
