import { type CallOptions, type JsonCalls } from './json-calls';
import { type AgentEvent, type AgentServer } from './protocol';
/** Which events to read, and in which order (that of the log, or its reverse). */
export interface EventQuery {
    /** The id of the first event of the page, which belongs to it. */
    readonly pageId?: string | undefined;
    readonly limit?: number | undefined;
    readonly newestFirst?: boolean | undefined;
}
/** Reads the logs of conversations. Errors are those of AgentServerClient. */
export declare class EventCalls {
    private readonly calls;
    constructor(calls: JsonCalls);
    /** One page of a conversation's log; with fewer events than were asked for where they are large. */
    search(target: AgentServer, conversationId: string, query?: EventQuery, options?: CallOptions): Promise<{
        items: AgentEvent[];
        nextPageId: string | null;
    }>;
    /** The newest event of a conversation's log, null when the log is empty. */
    last(target: AgentServer, conversationId: string, options?: CallOptions): Promise<AgentEvent | null>;
    /**
     * The events of the log after a known one, in log order, page by page as they are consumed.
     * @param afterEventId null for the whole log
     * @throws EventMarkUnknownError when that event is not in the log
     */
    after(target: AgentServer, conversationId: string, afterEventId: string | null, options?: CallOptions): AsyncGenerator<AgentEvent, void, undefined>;
    /**
     * One event by its id.
     * @returns the event with the JSON text it came as, or null when there is none of that id
     */
    get(target: AgentServer, conversationId: string, eventId: string, options?: CallOptions): Promise<{
        event: AgentEvent;
        raw: string;
    } | null>;
    /** How many events a conversation's log has. */
    count(target: AgentServer, conversationId: string, options?: CallOptions): Promise<number>;
    private page;
}
