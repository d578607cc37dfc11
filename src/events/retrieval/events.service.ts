import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth';
import { clampLimit, MAX_PAGE_LIMIT } from '../../common';
import { ConversationAccess } from '../../conversations';
import { assertAnswerable, countOnPage, type Frame, type JsonAnswer, LargeAnswers } from '../../http';
import { EventRepository } from '../storage/event.repository';
import type { EventFilter, EventSearch } from './events.dto';
import { EventLookUp } from './event-look-up';
import { EventNotFoundError } from '../storage/events.errors';
import { storedEventId } from '../storage/received-event';
import type { SizedEvent } from '../storage/stored-event';

/** Reads events; answers are JSON texts, because an event is answered as it was received. */
@Injectable()
export class EventsService {
  constructor(
    private readonly access: ConversationAccess,
    private readonly events: EventRepository,
    private readonly lookUp: EventLookUp,
    private readonly large: LargeAnswers,
  ) {}

  /**
   * One event; one that is not stored yet is asked of the agent server while the sandbox runs.
   * @throws ConversationNotFoundError, EventNotFoundError, EventLookUpFailedError, TooManyWaitingCallsError,
   *   TooManyLargeAnswersError
   */
  async get(caller: Caller, conversationId: string, eventId: string): Promise<JsonAnswer> {
    const conversation = await this.access.readable(caller, conversationId);
    const stored = (await this.events.sizesOf(conversation.id, [eventId])).get(storedEventId(eventId));
    if (stored !== undefined)
      return this.answer(caller, conversation.id, [stored], { before: '', after: '' });
    const payload = await this.lookUp.fetch(conversation, eventId);
    if (payload === null) throw new EventNotFoundError();
    return payload;
  }

  /**
   * The events of the ids, in their order, as a JSON array; null for unknown ones.
   * @throws AnswerTooLargeError, TooManyLargeAnswersError
   */
  async getMany(caller: Caller, conversationId: string, ids: readonly string[]): Promise<JsonAnswer> {
    const conversation = await this.access.readable(caller, conversationId);
    const wanted = ids.slice(0, MAX_PAGE_LIMIT);
    const sizes = await this.events.sizesOf(conversation.id, wanted);
    const items = wanted.map((id) => sizes.get(storedEventId(id)) ?? { id, bytes: 0, payload: 'null' });
    assertAnswerable(items);
    return this.answer(caller, conversation.id, items, { before: '[', after: ']' });
  }

  /** One page, as the JSON text of an `EventPage`. @throws TooManyLargeAnswersError */
  async search(caller: Caller, conversationId: string, search: EventSearch): Promise<JsonAnswer> {
    const conversation = await this.access.readable(caller, conversationId);
    const limit = clampLimit(search.limit);
    const rows = await this.events.page(conversation.id, {
      filter: search,
      newestFirst: search.sort_order === 'TIMESTAMP_DESC',
      firstId: search.page_id === undefined ? undefined : storedEventId(search.page_id),
      limit: limit + 1,
    });
    const count = countOnPage(rows.slice(0, limit));
    const next = JSON.stringify(rows[count]?.id ?? null);
    return this.answer(caller, conversation.id, rows.slice(0, count), {
      before: '{"items":[',
      after: `],"next_page_id":${next}}`,
    });
  }

  async count(caller: Caller, conversationId: string, filter: EventFilter): Promise<number> {
    const conversation = await this.access.readable(caller, conversationId);
    return this.events.count(conversation.id, filter);
  }

  /** Events whose texts were all read with their sizes make a text; of others they are read while it is sent. */
  private answer(
    { userId }: Caller,
    conversationId: string,
    items: readonly SizedEvent[],
    frame: Frame,
  ): Promise<JsonAnswer> | string {
    const known = items.map(({ payload }) => payload).filter((payload) => payload !== null);
    if (known.length === items.length) return frame.before + known.join() + frame.after;
    return this.large.stream(userId, items, frame, async (part) => {
      const unread = part.filter(({ payload }) => payload === null).map(({ id }) => id);
      const payloads = await this.events.payloadsOf(conversationId, unread);
      return part.map(({ id, payload }) => payload ?? payloads.get(id) ?? 'null');
    });
  }
}
