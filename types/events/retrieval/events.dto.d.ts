/** `{conversation_id}` and `{event_id}` of one event's path. */
export declare class EventPath {
    conversation_id: string;
    event_id: string;
}
/** Which events of a conversation. */
export declare class EventFilter {
    kind__eq?: string;
    timestamp__gte?: Date;
    timestamp__lt?: Date;
}
export declare const EVENT_ORDERS: readonly ["TIMESTAMP", "TIMESTAMP_DESC"];
/** Which events of a conversation, and in which order. */
export declare class EventSearch extends EventFilter {
    sort_order: (typeof EVENT_ORDERS)[number];
    page_id?: string;
    limit: number;
}
/** `?ids=` of events. */
export declare class EventIdsQuery {
    ids: string[];
}
/** A page of events. */
export declare class EventPage {
    items: Record<string, unknown>[];
    next_page_id: string | null;
}
