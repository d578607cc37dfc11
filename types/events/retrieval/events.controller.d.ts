import { type Caller } from '../../auth';
import { ConversationPath } from '../../conversations';
import { type JsonResponse } from '../../http';
import { EventFilter, EventIdsQuery, EventPath, EventSearch } from './events.dto';
import { EventsService } from './events.service';
export declare class EventsController {
    private readonly events;
    constructor(events: EventsService);
    getConversationEvent(caller: Caller, path: EventPath): Promise<JsonResponse>;
    searchConversationEvents(caller: Caller, path: ConversationPath, query: EventSearch): Promise<JsonResponse>;
    countConversationEvents(caller: Caller, path: ConversationPath, query: EventFilter): Promise<number>;
    batchGetConversationEvents(caller: Caller, path: ConversationPath, query: EventIdsQuery): Promise<JsonResponse>;
}
