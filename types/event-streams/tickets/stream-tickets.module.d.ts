/** Tickets apart from the streams: who authenticates needs them, and streams need who authenticates. */
export declare class StreamTicketsModule {
}
