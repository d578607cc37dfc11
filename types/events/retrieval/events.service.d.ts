import type { Caller } from '../../auth';
import { ConversationAccess } from '../../conversations';
import { type JsonResponse, LargeResponses } from '../../http';
import { EventRepository } from '../storage/event.repository';
import type { EventFilter, EventSearch } from './events.dto';
import { EventLookUp } from './event-look-up';
/** Reads events; responses are JSON texts, because an event is answered as it was received. */
export declare class EventsService {
    private readonly access;
    private readonly events;
    private readonly lookUp;
    private readonly large;
    constructor(access: ConversationAccess, events: EventRepository, lookUp: EventLookUp, large: LargeResponses);
    /**
     * One event; one that is not stored yet is asked of the agent server while the sandbox runs.
     * @throws ConversationNotFoundError, EventNotFoundError, EventLookUpFailedError, TooManyWaitingCallsError,
     *   TooManyLargeResponsesError
     */
    get(caller: Caller, conversationId: string, eventId: string): Promise<JsonResponse>;
    /**
     * The events of the ids, in their order, as a JSON array; null for unknown ones.
     * @throws ResponseTooLargeError, TooManyLargeResponsesError
     */
    getMany(caller: Caller, conversationId: string, ids: readonly string[]): Promise<JsonResponse>;
    /** One page, as the JSON text of an `EventPage`. @throws TooManyLargeResponsesError */
    search(caller: Caller, conversationId: string, search: EventSearch): Promise<JsonResponse>;
    count(caller: Caller, conversationId: string, filter: EventFilter): Promise<number>;
    private textsOf;
}
