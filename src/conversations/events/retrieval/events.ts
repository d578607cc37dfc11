import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/auth';
import {
  clampLimit,
  isRecord,
  MAX_PAGE_LIMIT,
  MEBIBYTE,
  parseUuid,
  storableText,
} from '../../../kernel/common';
import { ConversationAccess, ConversationNotFoundError } from '../../conversations';
import { EventLogReader } from '../storage/event-log-reader';

const PAGE_BYTES = 4 * MEBIBYTE;

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

/**
 * Events of conversations, from inside (docs/extending.md#from-inside): a user has those of their own conversations, and of
 * others that their role may view; the service those of its organization. They are what agent servers report, and written by
 * nobody else.
 */
@Injectable()
export class Events {
  constructor(
    private readonly access: ConversationAccess,
    private readonly log: EventLogReader,
  ) {}

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
