import type { DomainEvent } from '../../domain-events';
/** Which events an endpoint is to hear of (docs/webhooks.md#filters). */
export interface EventFilter {
    readonly kinds: readonly string[];
    /** Null for all. */
    readonly conversation_ids: readonly string[] | null;
    /** Those that the conversation must all have; null for all. */
    readonly tags: Readonly<Record<string, string>> | null;
}
/** The tags of a conversation; undefined for one that is unknown. */
export type TagsOf = (conversationId: string) => Readonly<Record<string, unknown>> | undefined;
/** The conversation that an event is about; null for none. */
export declare function conversationOf(event: DomainEvent): string | null;
/** The agent's kind of an event; null for events of the service. */
export declare function agentKindOf(event: DomainEvent): string | null;
/** Whether an endpoint hears of an event, its tags left aside. */
export declare function concerns({ kinds, conversation_ids, tags }: EventFilter, event: DomainEvent): boolean;
/** Whether the conversation of an event has the tags that an endpoint asks for. */
export declare function hasTags({ tags }: EventFilter, event: DomainEvent, tagsOf: TagsOf): boolean;
