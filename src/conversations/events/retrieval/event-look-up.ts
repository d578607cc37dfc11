import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AgentServerClient } from '../../../sandboxes/agent-server';
import { AppError, Clock } from '../../../kernel/common';
import type { ConversationRow } from '../../conversations';
import { SandboxReader, WaitingCalls } from '../../../sandboxes/sandboxes';
import { EventRepository } from '../storage/event.repository';
import { EventLookUpFailedError } from '../storage/events.errors';
import { readEvent } from '../storage/received-event';

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
   * Fetches an event while the sandbox runs, and stores it.
   * @param userId who asks for it
   * @returns its JSON text; null when there is none
   * @throws EventLookUpFailedError, TooManyWaitingCallsError
   */
  async fetch(userId: string, conversation: ConversationRow, eventId: string): Promise<string | null> {
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
