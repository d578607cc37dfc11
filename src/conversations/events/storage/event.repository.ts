import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';
import type { EventFilter } from './event-filter';
import {
  ADD_EVENTS,
  eventBatch,
  eventCount,
  eventPage,
  type EventPageQuery,
  EVENTS_BY_ID,
  KNOWN_IDS,
  LAST_LOGGED,
  LOCK_LOG,
  LOG_BYTES,
  LOG_LENGTH,
  SIZES_BY_ID,
} from './event.query';
import { EventLimits } from './event-limits';
import { type ReceivedEvent, storedEventId } from './received-event';
import type { SizedEvent, StoredEvent } from './stored-event';

/**
 * Stores the events of conversations: each once, numbered within its conversation
 * (docs/contract.md#inbound-webhooks).
 */
@Injectable()
export class EventRepository {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly domainEvents: DomainEvents,
    private readonly limits: EventLimits,
  ) {}

  /**
   * Stores what is not stored yet, in the order given.
   * @returns the events that were new
   * @throws ConversationEventBytesError, OrganizationEventBytesError
   */
  async add(
    transaction: EntityManager,
    conversationId: string,
    events: readonly ReceivedEvent[],
  ): Promise<ReceivedEvent[]> {
    if (events.length === 0) return [];
    const [log] = await LOCK_LOG.rows(transaction, [conversationId]);
    const known = await KNOWN_IDS.rows(transaction, [conversationId, events.map(({ id }) => id)]);
    const seen = new Set(known.map(({ id }) => id));
    const fresh = events.filter(({ id }) => !seen.has(id) && seen.add(id));
    if (fresh.length === 0 || log === undefined) return [];
    const bytes = fresh.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
    await this.limits.assertRoom(transaction, log, bytes);
    await ADD_EVENTS.rows(transaction, [
      conversationId,
      log.last_seq,
      fresh.map(({ id }) => id),
      fresh.map(({ kind }) => kind),
      fresh.map(({ occurredAt }) => occurredAt),
      fresh.map(({ payload }) => payload),
      fresh.length,
      bytes,
    ]);
    if (fresh.some(({ kind }) => this.domainEvents.listensTo('event.received', kind)))
      await this.domainEvents.publishLogged(transaction, 'event.received');
    return fresh;
  }

  /** The JSON text of one event, as it was received; null when it is not stored. */
  async payloadOf(conversationId: string, eventId: string): Promise<string | null> {
    return (await this.payloadsOf(conversationId, [eventId])).get(storedEventId(eventId)) ?? null;
  }

  /** The JSON texts of several events, by id. */
  async payloadsOf(conversationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await EVENTS_BY_ID.rows(this.database, [conversationId, ids.map(storedEventId)]);
    return new Map(rows.map(({ id, payload }) => [id, payload]));
  }

  /** The sizes of several events, by id, with the texts of those that are small together. */
  async sizesOf(conversationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, SizedEvent>> {
    const rows = await SIZES_BY_ID.rows(this.database, [conversationId, ids.map(storedEventId)]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The last stored event that is in the agent server's log, too. */
  async lastLogged(conversationId: string): Promise<string | null> {
    const [row] = await LAST_LOGGED.rows(this.database, [conversationId]);
    return row?.id ?? null;
  }

  /** The sizes of one page by time, ties by number, with the texts of its beginning. */
  page(conversationId: string, query: EventPageQuery): Promise<SizedEvent[]> {
    const { statement, parameters } = eventPage(conversationId, query);
    return statement.rows(this.database, parameters);
  }

  /**
   * Some events by time, ties by number, at least one while there are more: for reading all of them without
   * holding many.
   * @param afterId the last event of the batch before; null for the first batch
   */
  batch(conversationId: string, afterId: string | null): Promise<StoredEvent[]> {
    const { statement, parameters } = eventBatch(conversationId, afterId);
    return statement.rows(this.database, parameters);
  }

  /** How many events a conversation has, without counting them. */
  async total(conversationId: string): Promise<number> {
    const [log] = await LOG_LENGTH.rows(this.database, [conversationId]);
    return Number(log?.last_seq ?? 0);
  }

  /** How many bytes the texts of a conversation's events have. */
  async bytes(conversationId: string): Promise<number> {
    const [sum] = await LOG_BYTES.rows(this.database, [conversationId]);
    return Number(sum?.bytes ?? 0);
  }

  /** How many events of a conversation a filter selects. */
  async count(conversationId: string, filter: EventFilter): Promise<number> {
    const { statement, parameters } = eventCount(conversationId, filter);
    const [row] = await statement.rows(this.database, parameters);
    return Number(row?.count);
  }
}
