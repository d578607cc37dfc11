import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../../../kernel/auth';
import {
  clampLimit,
  Clock,
  isRecord,
  MAX_PAGE_LIMIT,
  MEBIBYTE,
  newId,
  parseUuid,
  storableText,
} from '../../../kernel/common';
import { ConversationAccess, ConversationNotFoundError, ConversationReports } from '../../conversations';
import { EventLogReader } from '../storage/event-log-reader';
import { EventRepository } from '../storage/event.repository';
import { NoteTooLargeError } from '../storage/events.errors';
import { readEvent } from '../storage/received-event';

const PAGE_BYTES = 4 * MEBIBYTE;
const NOTE_BYTES = 65_536;

/** Which events of a conversation to read. */
export interface EventPosition {
  /** After which number: `position` of the page before; 0 from the beginning. */
  readonly after?: number;
  /** Kinds of agents' events; all where they are left out. */
  readonly kinds?: readonly string[];
  /** Most events that are looked through; above 100 counts as 100. */
  readonly limit?: number;
}

/** The next events of a conversation, in the order in which they were stored. */
export interface EventsFromPosition {
  readonly events: readonly {
    readonly position: number;
    readonly kind: string;
    /** The event as it was received. */
    readonly event: Readonly<Record<string, unknown>>;
  }[];
  /** From which to read on. */
  readonly position: number;
  /** Whether more is stored already. */
  readonly hasMore: boolean;
}

/** What an extension remarks on a conversation. */
export interface Note {
  readonly text: string;
  /** What belongs to it, as JSON. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Events of conversations, from inside (docs/extending.md#from-inside): a user reads those of their own conversations, and of
 * others that their role may view; the service those of its organization. They are what agent servers report, and notes.
 */
@Injectable()
export class Events {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly access: ConversationAccess,
    private readonly log: EventLogReader,
    private readonly events: EventRepository,
    private readonly reports: ConversationReports,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a note behind the events of an own conversation, for the service of any of its organization: an event of the kind
   * `NoteEvent`, which is read, streamed and called back as the others are. The agent does not see it.
   * @param transaction the caller's, in which it is added
   * @returns the id of the event
   * @throws ConversationNotFoundError, SignedInByLinkError, NoteTooLargeError, ConversationEventBytesError,
   *   OrganizationEventBytesError; Error outside of a transaction
   */
  async append(
    actor: Actor,
    conversation: string,
    { text, details }: Note,
    transaction?: EntityManager,
  ): Promise<string> {
    const conversationId = parseUuid(conversation);
    if (conversationId === null) throw new ConversationNotFoundError();
    const [id, now] = [newId(), this.clock.now()];
    const note = {
      id,
      timestamp: now.toISOString(),
      source: 'environment',
      kind: 'NoteEvent',
      text,
      details,
    };
    const payload = JSON.stringify({ ...note, user_id: actor.userId });
    if (Buffer.byteLength(payload) > NOTE_BYTES) throw new NoteTooLargeError();
    const event = readEvent(payload, now);
    const add = async (within: EntityManager): Promise<void> => {
      await this.access.owned(actor, conversationId, within);
      if (event === null) return;
      await this.events.add(within, conversationId, [event]);
      await this.reports.apply(within, conversationId, { hasNewEvents: true });
    };
    await (transaction === undefined ? this.database.transaction(add) : add(transaction));
    return id;
  }

  /** Reads the next events, about 4 MiB of them at most. @throws ConversationNotFoundError */
  async read(
    actor: Actor,
    conversation: string,
    { after = 0, kinds, limit = MAX_PAGE_LIMIT }: EventPosition = {},
  ): Promise<EventsFromPosition> {
    const id = parseUuid(conversation);
    if (id === null) throw new ConversationNotFoundError();
    await this.access.readable(actor, id);
    const wanted = kinds === undefined ? null : kinds.map(storableText);
    const limits = { kinds: wanted, events: clampLimit(limit), bytes: PAGE_BYTES, largest: null };
    const from = Math.max(0, Math.trunc(after) || 0);
    const page = (await this.log.after(new Map([[id, from]]), limits)).get(id);
    if (page === undefined) return { events: [], position: from, hasMore: false };
    const events = page.events.flatMap(({ seq: position, kind, payload }) => {
      const event: unknown = payload === null ? null : JSON.parse(payload);
      return isRecord(event) ? [{ position, kind, event }] : [];
    });
    const end = page.hasMore ? (page.events.at(-1)?.seq ?? from) : page.last;
    return { events, position: end, hasMore: page.hasMore };
  }
}
