import { DataSource } from 'typeorm';
/** Reads the agents' events that callbacks are about. */
export declare class EventTexts {
    private readonly database;
    private readonly reads;
    constructor(database: DataSource);
    /** @returns an event as it was received; null for one that is gone, or too long for a callback */
    of(conversationId: string, eventId: string): Promise<string | null>;
    private read;
}
