/** Events of conversations: taken from agent servers, stored, and read. */
export declare class EventsModule {
}
