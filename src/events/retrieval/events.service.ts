import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AgentServerClient } from '../../agent-server';
import type { Caller } from '../../auth';
import { AppError, Clock, clampLimit, MAX_PAGE_LIMIT } from '../../common';
import { ConversationAccess, type ConversationRow } from '../../conversations';
import { SandboxReader, WaitingCalls } from '../../sandboxes';
import { EventRepository } from '../storage/event.repository';
import type { EventFilter, EventSearch } from './events.dto';
import { EventLookUpFailedError, EventNotFoundError } from '../storage/events.errors';
import { readEvent, storedEventId } from '../storage/received-event';

/** Reads events; answers are JSON texts, because an event is answered as it was received. */
@Injectable()
export class EventsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly access: ConversationAccess,
    private readonly events: EventRepository,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly waiting: WaitingCalls,
    private readonly clock: Clock,
  ) {}

  /**
   * One event; one that is not stored yet is asked of the agent server while the sandbox runs.
   * @throws ConversationNotFoundError, EventNotFoundError, EventLookUpFailedError, TooManyWaitingCallsError
   */
  async get(caller: Caller, conversationId: string, eventId: string): Promise<string> {
    const conversation = await this.access.readable(caller, conversationId);
    const payload =
      (await this.events.payloadOf(conversation.id, eventId)) ?? (await this.fetch(conversation, eventId));
    if (payload === null) throw new EventNotFoundError();
    return payload;
  }

  /** The events of the ids, in their order, as a JSON array; null for unknown ones. */
  async getMany(caller: Caller, conversationId: string, ids: readonly string[]): Promise<string> {
    const conversation = await this.access.readable(caller, conversationId);
    const wanted = ids.slice(0, MAX_PAGE_LIMIT);
    const payloads = await this.events.payloadsOf(conversation.id, wanted);
    return `[${wanted.map((id) => payloads.get(storedEventId(id)) ?? 'null').join()}]`;
  }

  /** One page, as the JSON text of an `EventPage`. */
  async search(caller: Caller, conversationId: string, search: EventSearch): Promise<string> {
    const conversation = await this.access.readable(caller, conversationId);
    const limit = clampLimit(search.limit);
    const rows = await this.events.page(conversation.id, {
      filter: search,
      newestFirst: search.sort_order === 'TIMESTAMP_DESC',
      firstId: search.page_id === undefined ? undefined : storedEventId(search.page_id),
      limit: limit + 1,
    });
    const items = rows.slice(0, limit).map(({ payload }) => payload);
    return `{"items":[${items.join()}],"next_page_id":${JSON.stringify(rows[limit]?.id ?? null)}}`;
  }

  async count(caller: Caller, conversationId: string, filter: EventFilter): Promise<number> {
    const conversation = await this.access.readable(caller, conversationId);
    return this.events.count(conversation.id, filter);
  }

  private async fetch(conversation: ConversationRow, eventId: string): Promise<string | null> {
    const sandbox =
      conversation.sandboxId === null ? null : await this.sandboxes.byId(conversation.sandboxId);
    const agentServer = sandbox?.agentServer;
    if (!agentServer || conversation.startState !== 'ready') return null;
    const found = await this.waiting.run(sandbox.id, conversation.id, () =>
      this.agentServers.events.get(agentServer, conversation.id, eventId).catch((error: unknown) => {
        throw new EventLookUpFailedError(error);
      }),
    );
    const event = found === null ? null : readEvent(found.raw, this.clock.now());
    if (event === null) return null;
    // Where no more is stored, the event is answered all the same.
    await this.database
      .transaction((transaction) => this.events.add(transaction, conversation.id, [event]))
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    return event.payload;
  }
}
