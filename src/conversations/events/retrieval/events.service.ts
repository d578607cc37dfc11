import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/auth';
import { clampLimit, MAX_PAGE_LIMIT, PageIds, AppError, Clock } from '../../../kernel/common';
import { ConversationAccess, type ConversationRow, OWN_EVENT } from '../../conversations';
import {
  assertResponseFits,
  fittingPage,
  type JsonResponse,
  LargeResponses,
  LIST_FRAME,
  pageFrame,
} from '../../../kernel/http';
import { EventRepository } from '../storage/event.repository';
import type { EventFilter, EventSearch } from './events.dto';
import { EventNotFoundError, EventLookUpFailedError } from '../storage/events.errors';
import { storedEventId, readEvent } from '../storage/received-event';
import type { SizedEvent } from '../storage/stored-event';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AgentServerClient } from '../../../sandboxes/agent-server';
import { SandboxReader, WaitingCalls } from '../../../sandboxes/sandboxes';

/** Asks agent servers for events that are not stored yet. */
@Injectable()
export class EventLookUp {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly events: EventRepository,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly waiting: WaitingCalls,
    private readonly clock: Clock,
  ) {}

  /**
   * Fetches an event while the sandbox runs, and stores it. Under an id of the service's own events agent servers have none.
   * @param userId who asks for it
   * @returns its JSON text; null when there is none
   * @throws EventLookUpFailedError, TooManyWaitingCallsError
   */
  async fetch(userId: string, conversation: ConversationRow, eventId: string): Promise<string | null> {
    if (eventId.startsWith(OWN_EVENT)) return null;
    const sandbox =
      conversation.sandboxId === null ? null : await this.sandboxes.byId(conversation.sandboxId);
    const agentServer = sandbox?.agentServer;
    if (!agentServer || conversation.startState !== 'ready') return null;
    const found = await this.waiting.run({ userId, conversationId: conversation.id, sandbox }, () =>
      this.agentServers.events.get(agentServer, conversation.id, eventId).catch((error: unknown) => {
        throw new EventLookUpFailedError(error);
      }),
    );
    const event = found === null ? null : readEvent(found.raw, this.clock.now());
    if (event === null || (await this.events.isRemoved(conversation.id, event.occurredAt))) return null;
    // Where no more is stored, the event is answered all the same.
    await this.database
      .transaction((transaction) => this.events.add(transaction, conversation.id, [event]))
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    return event.payload;
  }
}

/** Reads events; responses are JSON texts, because an event is answered as it was received. */
@Injectable()
export class EventsService {
  constructor(
    private readonly access: ConversationAccess,
    private readonly events: EventRepository,
    private readonly lookUp: EventLookUp,
    private readonly large: LargeResponses,
  ) {}

  /**
   * One event; one that is not stored yet is asked of the agent server while the sandbox runs.
   * @throws ConversationNotFoundError, EventNotFoundError, EventLookUpFailedError, TooManyWaitingCallsError,
   *   TooManyLargeResponsesError
   */
  async get(caller: Caller, conversationId: string, eventId: string): Promise<JsonResponse> {
    const conversation = await this.access.readable(caller, conversationId);
    const stored = (await this.events.sizesOf(conversation.id, [eventId])).get(storedEventId(eventId));
    if (stored !== undefined)
      return this.large.respond(
        caller.userId,
        [stored],
        { before: '', after: '' },
        this.textsOf(conversation.id),
      );
    const payload = await this.lookUp.fetch(caller.userId, conversation, eventId);
    if (payload === null) throw new EventNotFoundError();
    return payload;
  }

  /**
   * The events of the ids, in their order, as a JSON array; null for unknown ones.
   * @throws ResponseTooLargeError, TooManyLargeResponsesError
   */
  async getMany(caller: Caller, conversationId: string, ids: readonly string[]): Promise<JsonResponse> {
    const conversation = await this.access.readable(caller, conversationId);
    const wanted = ids.slice(0, MAX_PAGE_LIMIT);
    const sizes = await this.events.sizesOf(conversation.id, wanted);
    const items = wanted.map((id) => sizes.get(storedEventId(id)) ?? { id, bytes: 0, text: 'null' });
    assertResponseFits(items);
    return this.large.respond(caller.userId, items, LIST_FRAME, this.textsOf(conversation.id));
  }

  /** One page, as the JSON text of an `EventPage`. @throws TooManyLargeResponsesError */
  async search(caller: Caller, conversationId: string, search: EventSearch): Promise<JsonResponse> {
    const conversation = await this.access.readable(caller, conversationId);
    const limit = clampLimit(search.limit);
    // An event goes with its conversation only.
    const pages = PageIds.byText(`events ${conversation.id}`);
    const rows = await this.events.page(conversation.id, {
      filter: search,
      newestFirst: search.sort_order === 'TIMESTAMP_DESC',
      firstId: pages.read(search.page_id) ?? undefined,
      limit: limit + 1,
    });
    const { items, next } = fittingPage(rows, limit);
    const frame = pageFrame(next === undefined ? null : pages.write(next.id));
    return this.large.respond(caller.userId, items, frame, this.textsOf(conversation.id));
  }

  async count(caller: Caller, conversationId: string, filter: EventFilter): Promise<number> {
    const conversation = await this.access.readable(caller, conversationId);
    return this.events.count(conversation.id, filter);
  }

  private textsOf(conversationId: string): (events: readonly SizedEvent[]) => Promise<string[]> {
    return async (events) => {
      const payloads = await this.events.payloadsOf(
        conversationId,
        events.map(({ id }) => id),
      );
      return events.map(({ id }) => payloads.get(id) ?? 'null');
    };
  }
}
