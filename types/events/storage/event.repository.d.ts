import { DataSource, type EntityManager } from 'typeorm';
import { ConversationReports } from '../../conversations';
import { DomainEvents } from '../../domain-events';
import type { EventFilter } from './event-filter';
import { type EventPageQuery } from './event.query';
import { EventLimits } from './event-limits';
import { type ReceivedEvent } from './received-event';
import type { SizedEvent, StoredEvent } from './stored-event';
/**
 * Stores the events of conversations: each once, numbered within its conversation
 * (docs/contract.md#inbound-webhooks).
 */
export declare class EventRepository {
    private readonly database;
    private readonly conversations;
    private readonly domainEvents;
    private readonly limits;
    constructor(database: DataSource, conversations: ConversationReports, domainEvents: DomainEvents, limits: EventLimits);
    /**
     * Stores what is not stored yet, in the order given.
     * @returns the events that were new
     * @throws ConversationEventBytesError, OrganizationEventBytesError
     */
    add(transaction: EntityManager, conversationId: string, events: readonly ReceivedEvent[]): Promise<ReceivedEvent[]>;
    /** The JSON text of one event, as it was received; null when it is not stored. */
    payloadOf(conversationId: string, eventId: string): Promise<string | null>;
    /** The JSON texts of several events, by id. */
    payloadsOf(conversationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
    /** The sizes of several events, by id, with the texts of those that are small together. */
    sizesOf(conversationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, SizedEvent>>;
    /** The last stored event that is in the agent server's log, too. */
    lastLogged(conversationId: string): Promise<string | null>;
    /** The sizes of one page by time, ties by number, with the texts of its beginning. */
    page(conversationId: string, query: EventPageQuery): Promise<SizedEvent[]>;
    /**
     * Some events by time, ties by number, at least one while there are more: for reading all of them without
     * holding many.
     * @param afterId the last event of the batch before; null for the first batch
     */
    batch(conversationId: string, afterId: string | null): Promise<StoredEvent[]>;
    /** How many events a conversation has, without counting them. */
    total(conversationId: string): Promise<number>;
    /** How many bytes the texts of a conversation's events have. */
    bytes(conversationId: string): Promise<number>;
    /** How many events of a conversation a filter selects. */
    count(conversationId: string, filter: EventFilter): Promise<number>;
    private publish;
}
