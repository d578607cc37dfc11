import { z } from 'zod';
declare const storedEventSchema: z.ZodObject<{
    id: z.ZodString;
    timestamp: z.ZodString;
    source: z.ZodString;
    parent_id: z.ZodNullable<z.ZodString>;
    kind: z.ZodString;
}, z.core.$loose>;
/** An event with all its fields, nulls included. */
export type StoredEvent = z.infer<typeof storedEventSchema>;
/** Which events to find. */
export interface EventFilter {
    /** The whole Python path of the class, as the real agent server has it; short names find nothing. */
    readonly kind: string | null;
    readonly source: string | null;
    readonly body: string | null;
    readonly timestampGte: string | null;
    readonly timestampLt: string | null;
}
/** The events of one conversation in order: in memory, and as JSON lines that survive the process. */
export declare class EventLog {
    private readonly path;
    private readonly events;
    private readonly positions;
    /** @param path of the file; null keeps the log in memory only */
    constructor(path: string | null);
    get length(): number;
    get last(): StoredEvent | undefined;
    /** Adds an event; when this returns it survives `kill -9` of the process. */
    append(event: StoredEvent): void;
    get(id: string): StoredEvent | undefined;
    /** All events, oldest first. */
    all(): readonly StoredEvent[];
    count(filter: EventFilter): number;
    /** One page; an unknown page id is read as the start. */
    search(filter: EventFilter, page: {
        readonly pageId: string | null;
        readonly limit: number;
        readonly newestFirst: boolean;
    }): {
        items: StoredEvent[];
        nextPageId: string | null;
    };
    private load;
    private remember;
}
export {};
