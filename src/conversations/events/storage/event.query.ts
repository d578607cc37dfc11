import { storableText } from '../../../kernel/common';
import { PreparedStatement, Statement } from '../../../kernel/database';
import { INLINE_BYTES } from '../../../kernel/http';
import { OWN_EVENT } from '../../conversations';
import { DIGEST } from './received-event';
import type { SizedEvent, StoredEvent } from './stored-event';

/*
 * By hand because events come in batches that one statement stores, and texts of megabytes are neither parsed nor made
 * entities of (docs/decisions/0009-sql-by-hand.md, docs/decisions/0018-events-as-received.md).
 */

/** A log that is locked. */
export interface LockedLog {
  /** The last number given out. */
  readonly last_seq: string;
  readonly org_id: string;
  /** Bytes of its events. */
  readonly bytes: string;
  /** The time of the newest of those that were removed; null where none were. */
  readonly removed_until: Date | null;
}

/** Locks the log of a conversation ($1), which is made with its first event. */
export const LOCK_LOG = new Statement<LockedLog>(
  `INSERT INTO event_logs AS l (conversation_id) VALUES ($1)
   ON CONFLICT (conversation_id) DO UPDATE SET org_id = excluded.org_id
   RETURNING last_seq, org_id, bytes, removed_until`,
);

/** Bytes of the events of an organization ($1), as far as they are committed. */
export const ORG_BYTES = new Statement<{ readonly bytes: string }>(
  'SELECT coalesce(sum(bytes), 0) AS bytes FROM event_bytes WHERE org_id = $1',
);

/** Locks the counters of an organization ($1), and adds them up. */
export const LOCK_ORG_BYTES = new Statement<{ readonly bytes: string }>(
  `SELECT coalesce(sum(bytes), 0) AS bytes FROM (
     SELECT bytes FROM event_bytes WHERE org_id = $1 ORDER BY part FOR UPDATE) AS locked`,
);

/** Makes the counters of an organization ($1), which are there before the first of them is locked. */
export const MAKE_ORG_BYTES = new Statement(
  `INSERT INTO event_bytes (org_id, part) SELECT $1, part FROM generate_series(0, 15) AS part
   ON CONFLICT DO NOTHING`,
);

/** Which of several ids ($2) a conversation ($1) has. */
export const KNOWN_IDS = new Statement<{ readonly id: string }>(
  'SELECT id FROM events WHERE conversation_id = $1 AND id = ANY ($2)',
);

/** Stores events of a conversation ($1) under the numbers after a last one ($2); $7 is how many they are, $8 their bytes. */
export const ADD_EVENTS = new Statement(
  `WITH added AS (
     INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
     SELECT $1, e.id, $2::bigint + e.n, e.kind, e.occurred_at, e.payload
       FROM unnest($3::text[], $4::text[], $5::timestamptz[], $6::text[])
            WITH ORDINALITY AS e (id, kind, occurred_at, payload, n)
   ), counted AS (
     INSERT INTO event_bytes AS b (org_id, part, bytes)
     SELECT org_id, event_bytes_part(conversation_id), $8 FROM event_logs WHERE conversation_id = $1
     ON CONFLICT (org_id, part) DO UPDATE SET bytes = b.bytes + excluded.bytes
   )
   UPDATE event_logs SET last_seq = $2::bigint + $7, bytes = bytes + $8 WHERE conversation_id = $1`,
);

/** A call whose events are stored: its place among those of the statement, with what it is of. */
export interface TakenRow {
  readonly call: number;
  readonly sandbox: string | null;
  readonly org: string;
}

const taken = (makesWay: boolean): string =>
  `take_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, ${makesWay}) AS t`;

/**
 * Stores the events of those calls whose caller may and whose events are all new, where no limit is near. Of each call, in
 * the order of conversations: its conversation ($1), the sandbox ($2) or the organization ($3) of the caller, how many events
 * it has ($5) and their bytes ($6); of all events, their ids ($7), kinds, times and texts. Besides: drivers whose sandboxes
 * share a server ($4), the most bytes of a conversation ($11), organizations that are known to be far from their limit ($12),
 * the bytes up to which others are ($13), and whether listeners in the transaction are to get the events ($14). Makes way for whoever has locked a log.
 */
export const TAKE_EVENTS = new PreparedStatement<TakenRow>(
  'take-events',
  `SELECT t.call, t.sandbox, t.org FROM ${taken(true)}`,
);

/**
 * As {@link TAKE_EVENTS} of one call, which waits for its log, with what its events report of the conversation ($15 on) and the
 * job that they need ($27 on; null for none); and whether the gateway for models is on ($32).
 */
export const TAKE_EVENTS_AND_REPORT = new PreparedStatement<TakenRow & { readonly written: boolean }>(
  'take-events-and-report',
  `SELECT t.call, t.sandbox, t.org, apply_report(
            $1[1], $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, false, $32) AS written,
          CASE WHEN $27::text IS NOT NULL THEN add_delayed_job($27, $28, $29, $30, $31) END
     FROM ${taken(false)}`,
);

/** The events of several ids ($2). */
export const EVENTS_BY_ID = new Statement<StoredEvent>(
  'SELECT id, payload FROM events WHERE conversation_id = $1 AND id = ANY ($2)',
);

/** The sizes of the events of several ids ($2), with the texts of those that are small together. */
export const SIZES_BY_ID = new Statement<SizedEvent>(
  `SELECT id, octet_length(payload) AS bytes,
          CASE WHEN sum(octet_length(payload)) OVER (ORDER BY id) <= ${INLINE_BYTES} THEN payload END AS text
     FROM events WHERE conversation_id = $1 AND id = ANY ($2)`,
);

/** The last event that is in the agent server's log, too: whole snapshots of the state, notes and own events are not. */
export const LAST_LOGGED = new Statement<StoredEvent>(
  `SELECT id, CASE WHEN starts_with(id, '${DIGEST}') THEN payload ELSE '' END AS payload FROM events
    WHERE conversation_id = $1
      AND NOT (kind = 'ConversationStateUpdateEvent' AND payload ~ '"key" ?: ?"full_state"')
      AND kind <> 'NoteEvent' AND NOT starts_with(id, '${OWN_EVENT}')
    ORDER BY seq DESC LIMIT 1`,
);

/** How many events were stored, without counting them, and what is known of those that were removed. */
export const LOG_LENGTH = new Statement<{
  readonly last_seq: string;
  readonly removed_seq: string;
  readonly removed_until: Date | null;
  readonly removed_mark: string | null;
}>('SELECT last_seq, removed_seq, removed_until, removed_mark FROM event_logs WHERE conversation_id = $1');

/** Removes the first events of conversations ($1), so many at most ($2). */
export const REMOVE_EVENTS = new Statement<{ readonly items: number; readonly bytes: number }>(
  'SELECT events::float8 AS items, bytes::float8 FROM remove_events($1, $2)',
);

/** Deletes the logs of conversations ($1), with the events that they have. */
export const DELETE_LOGS = new Statement<{ readonly id: string }>(
  'DELETE FROM event_logs WHERE conversation_id = ANY ($1) RETURNING conversation_id AS id',
);

/** How many bytes the texts have; does not read them. */
export const LOG_BYTES = new Statement<{ readonly bytes: string | null }>(
  'SELECT sum(octet_length(payload)) AS bytes FROM events WHERE conversation_id = $1',
);

/** Where a page of events starts, and in which direction it goes. */
export interface EventPageQuery {
  readonly filter: EventFilter;
  readonly newestFirst: boolean;
  /** The event it starts with, as it is stored. */
  readonly firstId: string | undefined;
  /** How many rows are read at most. */
  readonly limit: number;
}

/** A statement with its parameters. */
interface Bound<Row extends object> {
  readonly statement: Statement<Row>;
  readonly parameters: readonly unknown[];
}

/** The sizes of one page by time, ties by number, with the texts of its beginning. */
export function eventPage(conversationId: string, query: EventPageQuery): Bound<SizedEvent> {
  const { sql, parameters } = conditionOf(conversationId, query.filter);
  const direction = query.newestFirst ? 'DESC' : 'ASC';
  let start = '';
  if (query.firstId !== undefined) {
    parameters.push(query.firstId);
    start = `AND (occurred_at, seq) ${query.newestFirst ? '<=' : '>='}
      (SELECT p.occurred_at, p.seq FROM events p WHERE p.conversation_id = $1 AND p.id = $${parameters.length})`;
  }
  const order = `occurred_at ${direction}, seq ${direction}`;
  const statement = new Statement<SizedEvent>(
    `SELECT id, bytes, CASE WHEN sum(bytes) OVER (ORDER BY ${order}) <= ${INLINE_BYTES} THEN payload END AS text
       FROM (SELECT id, occurred_at, seq, payload, octet_length(payload) AS bytes FROM events WHERE ${sql} ${start}
              ORDER BY ${order} LIMIT ${query.limit}) page
      ORDER BY ${order}`,
  );
  return { statement, parameters };
}

/** How many events a filter selects. */
export function eventCount(conversationId: string, filter: EventFilter): Bound<{ readonly count: string }> {
  const { sql, parameters } = conditionOf(conversationId, filter);
  return { statement: new Statement(`SELECT count(*) FROM events WHERE ${sql}`), parameters };
}

/** Most events of a batch, and bytes after which it ends. */
const BATCH_EVENTS = 200;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Some events by time, ties by number, at least one while there are more.
 * @param afterId the last event of the batch before; null for the first batch
 */
export function eventBatch(conversationId: string, afterId: string | null): Bound<StoredEvent> {
  const after = `AND (occurred_at, seq) > (SELECT p.occurred_at, p.seq FROM events p
                                            WHERE p.conversation_id = $1 AND p.id = $2)`;
  const statement = new Statement<StoredEvent>(
    `SELECT id, payload
       FROM (SELECT *, sum(octet_length(payload)) OVER (ORDER BY occurred_at, seq) - octet_length(payload) AS before
               FROM (SELECT id, payload, occurred_at, seq FROM events
                      WHERE conversation_id = $1 ${afterId === null ? '' : after}
                      ORDER BY occurred_at, seq LIMIT ${BATCH_EVENTS}) next) sized
      WHERE before < ${BATCH_BYTES} ORDER BY occurred_at, seq`,
  );
  return { statement, parameters: afterId === null ? [conversationId] : [conversationId, afterId] };
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

/** An event with its number; a row without a number means that the log is gone. */
export interface NumberedRow {
  readonly conversation_id: string;
  readonly last_seq: string;
  readonly seq: string | null;
  readonly kind: string | null;
  readonly payload: string | null;
  /** Left out, since the bytes of the page are used up. */
  readonly is_cut: boolean;
  /** A later one is left out. */
  readonly has_rest: boolean;
}

/**
 * The next events of several conversations ($1), each after a number ($2): at most so many of each ($4), and until they
 * have so many bytes together ($5), but one at least, unless it has more bytes than there may be ($6, more than $5; null
 * for any number). Texts are left out unless of certain kinds ($3; null for all).
 */
export const EVENTS_AFTER = new PreparedStatement<NumberedRow>(
  'events-after',
  `SELECT conversation_id, last_seq, seq, kind, CASE WHEN wanted AND NOT is_cut THEN payload END AS payload,
          is_cut, has_rest
     FROM (SELECT *, coalesce(lead(is_cut) OVER (PARTITION BY n ORDER BY seq), false) AS has_rest,
                  row_number() OVER (PARTITION BY n ORDER BY seq) AS place
             FROM (SELECT c.n, c.conversation_id, l.last_seq, e.*,
                          coalesce(sum(e.bytes) OVER (ORDER BY c.n, e.seq) - e.bytes >= $5 OR e.bytes > $6, false) AS is_cut
                     FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS c (conversation_id, after, n)
                     JOIN event_logs l ON l.conversation_id = c.conversation_id AND l.last_seq > c.after
                     LEFT JOIN LATERAL (
                       SELECT seq, kind, payload, wanted, CASE WHEN wanted THEN octet_length(payload) ELSE 0 END AS bytes
                         FROM (SELECT seq, kind, payload, $3::text[] IS NULL OR kind = ANY ($3) AS wanted FROM events
                                WHERE conversation_id = c.conversation_id AND seq > c.after
                                ORDER BY seq LIMIT $4) next) e ON true) sized) placed
    WHERE place = 1 OR NOT is_cut
    ORDER BY n, seq`,
);

/** Which events of a conversation are looked for; times are those that the events carry. */
export interface EventFilter {
  readonly kind__eq?: string;
  readonly timestamp__gte?: Date;
  readonly timestamp__lt?: Date;
}
