/** Streams of events that resume (docs/streams.md). */
export declare class EventStreamsModule {
}
