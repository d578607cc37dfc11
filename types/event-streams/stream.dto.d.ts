import { DOMAIN_EVENT_KINDS } from '../domain-events';
/** The position in the header of a browser that connects again. */
export declare class ResumeHeaders {
    'Last-Event-ID'?: number;
}
/** Where a stream begins, and who may read it. */
export declare class StreamQuery {
    after?: number;
    ticket?: string;
}
/** What a stream of a conversation has. */
export declare class ConversationStreamQuery extends StreamQuery {
    kind: string[];
}
/** What a stream of an organization has. */
export declare class OrganizationStreamQuery extends StreamQuery {
    type: (typeof DOMAIN_EVENT_KINDS)[number][];
}
/** `{org_id}` of an organization's stream. */
export declare class OrganizationStreamPath {
    org_id: string;
}
/** A ticket. */
export declare class StreamTicketResponse {
    ticket: string;
    expires_at: string;
}
