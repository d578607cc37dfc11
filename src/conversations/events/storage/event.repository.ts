import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';
import {
  ADD_EVENTS,
  eventBatch,
  eventCount,
  type EventFilter,
  eventPage,
  type EventPageQuery,
  EVENTS_BY_ID,
  KNOWN_IDS,
  LAST_LOGGED,
  LOCK_LOG,
  LOCK_ORG_BYTES,
  type LockedLog,
  LOG_BYTES,
  LOG_LENGTH,
  MAKE_ORG_BYTES,
  ORG_BYTES,
  SIZES_BY_ID,
} from './event.query';
import { loggedEventId, type ReceivedEvent, storedEventId } from './received-event';
import type { SizedEvent, StoredEvent } from './stored-event';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { Clock, MEBIBYTE } from '../../../kernel/common';
import { ConversationEventBytesError, OrganizationEventBytesError } from './events.errors';

/**
 * So far from the limit of an organization its counters are only read, and not with each batch: what is stored until they
 * are read again, by all connections of the database together, is not as much.
 */
const FAR_BYTES = 4096 * MEBIBYTE;
const READ_AGAIN_MS = 1_000;
const MOST_KNOWN = 10_000;

/** How many bytes of events are stored (docs/contract.md#event-limits). */
@Injectable()
export class EventLimits {
  /** Until when organizations are known to be far from the limit. */
  private readonly farUntilMs = new Map<string, number>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks whether events may be added to a log. Near the limit of the organization its counters stay locked until
   * the transaction ends, so that calls at once do not pass it together.
   * @throws ConversationEventBytesError, OrganizationEventBytesError
   */
  async assertRoom(transaction: EntityManager, log: LockedLog, added: number): Promise<void> {
    const { EVENT_MEBIBYTES_PER_CONVERSATION: ofOne, EVENT_MEBIBYTES_PER_ORG: ofOrg } = this.settings;
    if (Number(log.bytes) + added > ofOne * MEBIBYTE) throw new ConversationEventBytesError(ofOne);
    if (await this.isFar(transaction, log.org_id, ofOrg * MEBIBYTE)) return;
    await MAKE_ORG_BYTES.rows(transaction, [log.org_id]);
    const [locked] = await LOCK_ORG_BYTES.rows(transaction, [log.org_id]);
    if (Number(locked?.bytes) + added > ofOrg * MEBIBYTE) throw new OrganizationEventBytesError(ofOrg);
  }

  /** The most bytes of a conversation, and up to how many an organization is far from the limit. */
  get bytes(): readonly [ofConversation: number, farOfOrg: number] {
    const { EVENT_MEBIBYTES_PER_CONVERSATION: ofOne, EVENT_MEBIBYTES_PER_ORG: ofOrg } = this.settings;
    return [ofOne * MEBIBYTE, ofOrg * MEBIBYTE - FAR_BYTES];
  }

  /** An organization was found to be far from the limit. */
  noteFar(orgId: string): void {
    if (this.farUntilMs.size >= MOST_KNOWN) this.farUntilMs.clear();
    this.farUntilMs.set(orgId, this.clock.monotonicMs() + READ_AGAIN_MS);
  }

  /** Whether an organization was found to be far from the limit lately. */
  isKnownFar(orgId: string): boolean {
    return this.clock.monotonicMs() < (this.farUntilMs.get(orgId) ?? 0);
  }

  private async isFar(transaction: EntityManager, orgId: string, limit: number): Promise<boolean> {
    if (this.isKnownFar(orgId)) return true;
    const [stored] = await ORG_BYTES.rows(transaction, [orgId]);
    if (Number(stored?.bytes) + FAR_BYTES > limit) return false;
    this.noteFar(orgId);
    return true;
  }
}

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
   * Stores new events, in the order given; none that are as old as what was removed of the log.
   * @returns the events that were new
   * @throws ConversationEventBytesError, OrganizationEventBytesError
   */
  async add(
    transaction: EntityManager,
    conversationId: string,
    events: readonly ReceivedEvent[],
  ): Promise<ReceivedEvent[]> {
    if (events.length === 0) return [];
    if (transaction.queryRunner?.isTransactionActive !== true)
      throw new Error('Events are added inside a transaction.');
    const [log] = await LOCK_LOG.rows(transaction, [conversationId]);
    const known = await KNOWN_IDS.rows(transaction, [conversationId, events.map(({ id }) => id)]);
    const seen = new Set(known.map(({ id }) => id));
    const isNew = (occurredAt: Date): boolean =>
      log === undefined || log.removed_until === null || occurredAt > log.removed_until;
    const fresh = events.filter(({ id, occurredAt }) => isNew(occurredAt) && !seen.has(id) && seen.add(id));
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

  /** The last event that was stored and is in the agent server's log, too, by its id there, also if it was removed here. */
  async lastLogged(conversationId: string): Promise<string | null> {
    const [row] = await LAST_LOGGED.rows(this.database, [conversationId]);
    if (row !== undefined) return loggedEventId(row);
    const [log] = await LOG_LENGTH.rows(this.database, [conversationId]);
    return log?.removed_mark ?? null;
  }

  /** Whether what a conversation had stored of a time was removed: its agent server may still have it. */
  async isRemoved(conversationId: string, occurredAt: Date): Promise<boolean> {
    const [log] = await LOG_LENGTH.rows(this.database, [conversationId]);
    return log !== undefined && log.removed_until !== null && occurredAt <= log.removed_until;
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
    return log === undefined ? 0 : Number(log.last_seq) - Number(log.removed_seq);
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
