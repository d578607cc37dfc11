import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { storableText } from '../../common';
import { orgOfConversation } from '../../conversations';
import { DomainEvents } from '../../domain-events';
import type { EventFilter } from './event-filter';
import { type ReceivedEvent, storedEventId } from './received-event';

/** Where a page of events starts, and in which direction it goes. */
export interface EventPageQuery {
  readonly filter: EventFilter;
  readonly newestFirst: boolean;
  readonly pageId: string | undefined;
  readonly limit: number;
}

/** An event as it is kept: its JSON text is what was received. */
export interface StoredEvent {
  readonly id: string;
  readonly payload: string;
}

/** Most events of a batch, and bytes after which it ends. */
const BATCH_EVENTS = 200;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Keeps the events of conversations: each once, numbered within its conversation
 * (docs/contract.md#inbound-webhooks).
 */
@Injectable()
export class EventStore {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly domainEvents: DomainEvents,
  ) {}

  /**
   * Stores what is not stored yet, in the order given.
   * @returns the events that were new
   */
  async add(
    transaction: EntityManager,
    conversationId: string,
    events: readonly ReceivedEvent[],
  ): Promise<ReceivedEvent[]> {
    if (events.length === 0) return [];
    const [log] = await transaction.query<[{ last_seq: string }]>(
      `INSERT INTO event_logs AS l (conversation_id) VALUES ($1)
       ON CONFLICT (conversation_id) DO UPDATE SET last_seq = l.last_seq RETURNING last_seq`,
      [conversationId],
    );
    const known = await transaction.query<{ id: string }[]>(
      'SELECT id FROM events WHERE conversation_id = $1 AND id = ANY ($2)',
      [conversationId, events.map(({ id }) => id)],
    );
    const seen = new Set(known.map(({ id }) => id));
    const fresh = events.filter(({ id }) => !seen.has(id) && seen.add(id));
    if (fresh.length === 0) return [];
    await transaction.query(
      `WITH added AS (
         INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
         SELECT $1, e.id, $2::bigint + e.n, e.kind, e.occurred_at, e.payload
           FROM unnest($3::text[], $4::text[], $5::timestamptz[], $6::text[])
                WITH ORDINALITY AS e (id, kind, occurred_at, payload, n)
       )
       UPDATE event_logs SET last_seq = $2::bigint + $7 WHERE conversation_id = $1`,
      [
        conversationId,
        log.last_seq,
        fresh.map(({ id }) => id),
        fresh.map(({ kind }) => kind),
        fresh.map(({ occurredAt }) => occurredAt),
        fresh.map(({ payload }) => payload),
        fresh.length,
      ],
    );
    if (this.domainEvents.listensTo('event.received')) await this.publish(transaction, conversationId, fresh);
    return fresh;
  }

  /** The JSON text of one event, as it was received; null when it is not stored. */
  async payloadOf(conversationId: string, eventId: string): Promise<string | null> {
    const [row] = await this.database.query<StoredEvent[]>(
      'SELECT id, payload FROM events WHERE conversation_id = $1 AND id = $2',
      [conversationId, storedEventId(eventId)],
    );
    return row?.payload ?? null;
  }

  /** The last stored event that is in the agent server's log, too: whole snapshots of the state are not. */
  async lastLogged(conversationId: string): Promise<string | null> {
    const [row] = await this.database.query<{ id: string }[]>(
      `SELECT id FROM events
        WHERE conversation_id = $1
          AND NOT (kind = 'ConversationStateUpdateEvent' AND payload ~ '"key" ?: ?"full_state"')
        ORDER BY seq DESC LIMIT 1`,
      [conversationId],
    );
    return row?.id ?? null;
  }

  /** The JSON texts of several events, by id. */
  async payloadsOf(conversationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<StoredEvent[]>(
      'SELECT id, payload FROM events WHERE conversation_id = $1 AND id = ANY ($2)',
      [conversationId, ids.map(storedEventId)],
    );
    return new Map(rows.map(({ id, payload }) => [id, payload]));
  }

  /** One page by time, ties by number; one event more than the limit where there are more. */
  page(conversationId: string, query: EventPageQuery): Promise<StoredEvent[]> {
    const { sql, parameters } = conditionOf(conversationId, query.filter);
    const direction = query.newestFirst ? 'DESC' : 'ASC';
    let start = '';
    if (query.pageId !== undefined) {
      parameters.push(storedEventId(query.pageId));
      start = `AND (occurred_at, seq) ${query.newestFirst ? '<=' : '>='}
        (SELECT p.occurred_at, p.seq FROM events p WHERE p.conversation_id = $1 AND p.id = $${parameters.length})`;
    }
    return this.database.query<StoredEvent[]>(
      `SELECT id, payload FROM events WHERE ${sql} ${start}
        ORDER BY occurred_at ${direction}, seq ${direction} LIMIT ${query.limit + 1}`,
      parameters,
    );
  }

  /**
   * Some events by time, ties by number, at least one while there are more: for reading all of them without
   * holding many.
   * @param afterId the last event of the batch before; null for the first batch
   */
  batch(conversationId: string, afterId: string | null): Promise<StoredEvent[]> {
    const after = `AND (occurred_at, seq) > (SELECT p.occurred_at, p.seq FROM events p
                                              WHERE p.conversation_id = $1 AND p.id = $2)`;
    return this.database.query<StoredEvent[]>(
      `SELECT id, payload
         FROM (SELECT *, sum(octet_length(payload)) OVER (ORDER BY occurred_at, seq) - octet_length(payload) AS before
                 FROM (SELECT id, payload, occurred_at, seq FROM events
                        WHERE conversation_id = $1 ${afterId === null ? '' : after}
                        ORDER BY occurred_at, seq LIMIT ${BATCH_EVENTS}) next) sized
        WHERE before < ${BATCH_BYTES} ORDER BY occurred_at, seq`,
      afterId === null ? [conversationId] : [conversationId, afterId],
    );
  }

  /** How many events a conversation has, without counting them. */
  async total(conversationId: string): Promise<number> {
    const [log] = await this.database.query<{ last_seq: string }[]>(
      'SELECT last_seq FROM event_logs WHERE conversation_id = $1',
      [conversationId],
    );
    return Number(log?.last_seq ?? 0);
  }

  /** How many bytes the texts of a conversation's events have; does not read the texts. */
  async bytes(conversationId: string): Promise<number> {
    const [sum] = await this.database.query<[{ bytes: string | null }]>(
      'SELECT sum(octet_length(payload)) AS bytes FROM events WHERE conversation_id = $1',
      [conversationId],
    );
    return Number(sum.bytes ?? 0);
  }

  async count(conversationId: string, filter: EventFilter): Promise<number> {
    const { sql, parameters } = conditionOf(conversationId, filter);
    const [row] = await this.database.query<[{ count: string }]>(
      `SELECT count(*) FROM events WHERE ${sql}`,
      parameters,
    );
    return Number(row.count);
  }

  private async publish(
    transaction: EntityManager,
    conversationId: string,
    added: readonly ReceivedEvent[],
  ): Promise<void> {
    const orgId = await orgOfConversation(transaction, conversationId);
    if (orgId === null) return;
    await this.domainEvents.publish(
      transaction,
      ...added.map(({ id, kind, occurredAt }) => ({
        kind: 'event.received' as const,
        org_id: orgId,
        conversation_id: conversationId,
        event_id: id,
        event_kind: kind,
        occurred_at: occurredAt.toISOString(),
      })),
    );
  }
}

function conditionOf(conversationId: string, filter: EventFilter): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = [conversationId];
  const parts = ['conversation_id = $1'];
  const add = (comparison: string, value: unknown): void => {
    if (value === undefined) return;
    parameters.push(value);
    parts.push(`${comparison} $${parameters.length}`);
  };
  add('kind =', filter.kind__eq === undefined ? undefined : storableText(filter.kind__eq));
  add('occurred_at >=', filter.timestamp__gte);
  add('occurred_at <', filter.timestamp__lt);
  return { sql: parts.join(' AND '), parameters };
}
