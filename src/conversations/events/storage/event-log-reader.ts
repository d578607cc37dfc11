import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { groupedRows } from '../../../kernel/database';
import { EVENTS_AFTER, LOG_LENGTH, type NumberedRow } from './event.query';

/** An event of a conversation at its number. */
interface NumberedEvent {
  readonly seq: number;
  readonly kind: string;
  /** Its JSON text as it was received; null for one of a kind that was not asked for. */
  readonly payload: string | null;
}

/** The next events of a conversation. */
export interface EventLogPage {
  readonly events: readonly NumberedEvent[];
  /** The last number of the conversation. */
  readonly last: number;
  /** Whether events were left out; else those up to the last number that are not here are gone. */
  readonly hasMore: boolean;
}

/** The limits of one page. */
interface EventLogPageLimits {
  /** Null for all kinds. */
  readonly kinds: readonly string[] | null;
  /** Most events of each conversation. */
  readonly events: number;
  /** So many bytes together, or one event. */
  readonly bytes: number;
  /** An event of more bytes ends the page before it; null for any number. */
  readonly largest: number | null;
}

/** Reads the events of conversations in the order in which they were stored. */
@Injectable()
export class EventLogReader {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** The number of a conversation's last event; 0 without any. */
  async last(conversationId: string): Promise<number> {
    const [log] = await LOG_LENGTH.rows(this.database, [conversationId]);
    return Number(log?.last_seq ?? 0);
  }

  /**
   * The next events of several conversations.
   * @param cursors after which number, by conversation
   * @returns pages of those that have more; one may be without events while others fill the bytes, and where the next
   *   one is too large
   */
  async after(
    cursors: ReadonlyMap<string, number>,
    { kinds, events, bytes, largest }: EventLogPageLimits,
  ): Promise<ReadonlyMap<string, EventLogPage>> {
    const parameters = [[...cursors.keys()], [...cursors.values()], kinds, events, bytes, largest];
    const rows = await EVENTS_AFTER.rows(this.database, parameters);
    const pages = [...groupedRows(rows, ({ conversation_id }) => conversation_id)];
    return new Map(
      pages.map(([id, found]) => {
        const page = found.flatMap(toEvent);
        const hasMore = page.length === events || found.some(({ is_cut, has_rest }) => is_cut || has_rest);
        return [id, { events: page, last: Number(found[0]?.last_seq), hasMore }];
      }),
    );
  }
}

function toEvent({ seq, kind, payload, is_cut }: NumberedRow): NumberedEvent[] {
  return seq === null || kind === null || is_cut ? [] : [{ seq: Number(seq), kind, payload }];
}
