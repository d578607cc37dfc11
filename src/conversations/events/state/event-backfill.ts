import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type AgentServer, AgentServerClient, EventMarkUnknownError } from '../../../sandboxes/agent-server';
import { Clock } from '../../../kernel/common';
import { JobHandlers } from '../../../kernel/jobs';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { BACKFILL_JOB, backfillPayload } from './backfill-on-running';
import { ConversationRefresh } from './conversation-refresh';
import { EventRepository } from '../storage/event.repository';
import { ConversationEventBytesError, OrganizationEventBytesError } from '../storage/events.errors';
import { readEvent, type ReceivedEvent } from '../storage/received-event';

/** Most events, and bytes, that are held before they are stored. */
const BATCH = 100;
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Reads events from an agent server's log that it never posted: a killed one loses those that were waiting, so
 * everything after the last known event is read when its sandbox runs again.
 */
@Injectable()
export class EventBackfill {
  private readonly logger = new Logger(EventBackfill.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly events: EventRepository,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly refresh: ConversationRefresh,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.register(
      BACKFILL_JOB,
      backfillPayload,
      (payload) => this.fill(payload.conversationId, payload.sandboxId),
      'slow',
    );
  }

  private async fill(conversationId: string, sandboxId: string): Promise<void> {
    const sandbox = await this.sandboxes.byId(sandboxId);
    if (!sandbox?.agentServer) return;
    const last = await this.events.lastLogged(conversationId);
    try {
      await this.readFrom(sandbox.agentServer, conversationId, last);
    } catch (error) {
      if (isLimit(error)) {
        this.logger.warn(`Events of conversation ${conversationId} are left out: ${error.message}`);
        return;
      }
      if (!(error instanceof EventMarkUnknownError)) throw error;
      this.logger.warn(
        `The log of conversation ${conversationId} lacks the last known event; all of it is read`,
      );
      await this.readFrom(sandbox.agentServer, conversationId, null);
    }
    await this.database.transaction((transaction) => this.refresh.later(transaction, conversationId));
  }

  private async readFrom(target: AgentServer, conversationId: string, after: string | null): Promise<void> {
    let batch: ReceivedEvent[] = [];
    let bytes = 0;
    for await (const logged of this.agentServers.events.after(target, conversationId, after)) {
      const event = readEvent(JSON.stringify(logged), this.clock.now());
      if (event) batch.push(event);
      bytes += event?.payload.length ?? 0;
      if (batch.length < BATCH && bytes < BATCH_BYTES) continue;
      await this.store(conversationId, batch);
      batch = [];
      bytes = 0;
    }
    await this.store(conversationId, batch);
  }

  private async store(conversationId: string, batch: readonly ReceivedEvent[]): Promise<void> {
    await this.database.transaction((transaction) => this.events.add(transaction, conversationId, batch));
  }
}

/** Whether no more events are stored: retrying cannot succeed. */
function isLimit(error: unknown): error is ConversationEventBytesError | OrganizationEventBytesError {
  return error instanceof ConversationEventBytesError || error instanceof OrganizationEventBytesError;
}
