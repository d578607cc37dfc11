import { MEBIBYTE } from '../../../../kernel/common';
import { finiteJson } from '../../../../kernel/validation';
import {
  AgentServerFailedError,
  AgentServerResponseTooLargeError,
  EventMarkUnknownError,
} from '../agent-server.errors';
import { responseReason } from '../send-outcome';
import {
  type AgentEvent,
  agentEventSchema,
  type AgentServer,
  conversationPath,
  countSchema,
  eventPageSchema,
} from '../protocol';
import { type CallOptions, type JsonCalls, readResponse } from '../json-calls';

/** The largest page of the agent server; it answers 500 to more. */
const MAX_PAGE = 100;
const PAGE_BYTES = 16 * MEBIBYTE;

/** One event: a message of 20 MiB, with what was added to it. Pages of few events may have as much. */
const EVENT_BYTES = 32 * MEBIBYTE;
const FEW = 10;

/** Ids that are routes of their own where an event's id is expected. */
const RESERVED_EVENT_IDS = new Set(['', '.', '..', 'search', 'count']);

/** Which events to read, and in which order (that of the log, or its reverse). */
export interface EventQuery {
  /** The id of the first event of the page, inclusive. */
  readonly pageId?: string | undefined;
  readonly limit?: number | undefined;
  readonly newestFirst?: boolean | undefined;
}

/** Reads the logs of conversations. Errors are those of AgentServerClient. */
export class EventCalls {
  constructor(private readonly calls: JsonCalls) {}

  /** One page of a conversation's log; with fewer events than were asked for where they are large. */
  async search(
    target: AgentServer,
    conversationId: string,
    query: EventQuery = {},
    options: CallOptions = {},
  ): Promise<{ items: AgentEvent[]; nextPageId: string | null }> {
    const limit = Math.min(query.limit ?? MAX_PAGE, MAX_PAGE);
    try {
      return await this.page(target, conversationId, { ...query, limit }, options);
    } catch (error) {
      if (limit === 1 || !(error instanceof AgentServerResponseTooLargeError)) throw error;
      return this.search(target, conversationId, { ...query, limit: Math.ceil(limit / FEW) }, options);
    }
  }

  /** The newest event of a conversation's log, null when the log is empty. */
  async last(
    target: AgentServer,
    conversationId: string,
    options: CallOptions = {},
  ): Promise<AgentEvent | null> {
    const page = await this.search(target, conversationId, { limit: 1, newestFirst: true }, options);
    return page.items[0] ?? null;
  }

  /**
   * The events of the log after a known one, in log order, page by page as they are consumed.
   * @param afterEventId null for the whole log
   * @throws EventMarkUnknownError when that event is not in the log
   */
  async *after(
    target: AgentServer,
    conversationId: string,
    afterEventId: string | null,
    options: CallOptions = {},
  ): AsyncGenerator<AgentEvent, void, undefined> {
    let pageId = afterEventId ?? undefined;
    let page = await this.search(target, conversationId, { pageId }, options);
    if (afterEventId !== null) {
      const [mark, ...items] = page.items;
      // The agent server reads an unknown page id as the start of the log.
      if (mark?.id !== afterEventId) throw new EventMarkUnknownError();
      page = { ...page, items };
    }
    yield* page.items;
    while (page.nextPageId !== null) {
      if (page.nextPageId === pageId) throw new AgentServerFailedError(200, 'the next page is the same page');
      pageId = page.nextPageId;
      page = await this.search(target, conversationId, { pageId }, options);
      yield* page.items;
    }
  }

  /**
   * One event by its id.
   * @returns the event with the JSON text it came as, or null when there is none of that id
   */
  async get(
    target: AgentServer,
    conversationId: string,
    eventId: string,
    options: CallOptions = {},
  ): Promise<{ event: AgentEvent; raw: string } | null> {
    if (RESERVED_EVENT_IDS.has(eventId)) return null;
    const path = `${conversationPath(conversationId)}/events/${encodeURIComponent(eventId)}`;
    const call = { method: 'GET', path, maxResponseBytes: EVENT_BYTES, ...options } as const;
    const response = await this.calls.call(target, call);
    if (response.status === 404) return null;
    // Agent server 1.43.1 reports an unknown id as a 500.
    if (response.status === 500 && responseReason(response.text, '').includes('Unknown event_id'))
      return null;
    const event = readResponse(response, agentEventSchema, target);
    if (event.id !== eventId) throw new AgentServerFailedError(200, 'the answer is another event');
    return { event, raw: finiteJson(response.text) };
  }

  /** How many events a conversation's log has. */
  async count(target: AgentServer, conversationId: string, options: CallOptions = {}): Promise<number> {
    const path = `${conversationPath(conversationId)}/events/count`;
    const response = await this.calls.call(target, { method: 'GET', path, ...options });
    return readResponse(response, countSchema, target);
  }

  private async page(
    target: AgentServer,
    conversationId: string,
    { pageId, newestFirst, limit }: EventQuery & { readonly limit: number },
    options: CallOptions,
  ): Promise<{ items: AgentEvent[]; nextPageId: string | null }> {
    const params = new URLSearchParams({
      limit: String(limit),
      sort_order: newestFirst ? 'TIMESTAMP_DESC' : 'TIMESTAMP',
    });
    if (pageId !== undefined) params.set('page_id', pageId);
    const path = `${conversationPath(conversationId)}/events/search?${params.toString()}`;
    const maxResponseBytes = limit > FEW ? PAGE_BYTES : EVENT_BYTES;
    const response = await this.calls.call(target, { method: 'GET', path, maxResponseBytes, ...options });
    const page = readResponse(response, eventPageSchema, target);
    return { items: page.items, nextPageId: page.next_page_id ?? null };
  }
}
