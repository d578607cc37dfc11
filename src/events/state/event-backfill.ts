import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { type AgentServer, AgentServerClient, EventMarkUnknownError } from '../../agent-server';
import { Clock, uuidText } from '../../common';
import { type DomainEventOf, OnDomainEvent } from '../../domain-events';
import { JobHandlers, JobQueue } from '../../jobs';
import { SandboxReader } from '../../sandboxes';
import { ConversationRefresh } from './conversation-refresh';
import { EventStore } from '../storage/event-store';
import { readEvent, type ReceivedEvent } from '../storage/received-event';

const BACKFILL = 'backfill-events';
const BATCH = 100;
const payloadSchema = z.object({ conversationId: uuidText, sandboxId: uuidText });

/**
 * Reads back from an agent server's log what it never told: a killed one forgets the events it had not
 * posted yet, so everything after the last known event is read when its sandbox runs again.
 */
@Injectable()
export class EventBackfill {
  private readonly logger = new Logger(EventBackfill.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly events: EventStore,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly refresh: ConversationRefresh,
    private readonly clock: Clock,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.register(
      BACKFILL,
      payloadSchema,
      (payload) => this.fill(payload.conversationId, payload.sandboxId),
      'slow',
    );
  }

  @OnDomainEvent('sandbox.status_changed')
  async scheduleOnceRunning(
    { sandbox_id: sandboxId, status }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (status !== 'RUNNING') return;
    const conversations = await transaction.query<{ id: string }[]>(
      `SELECT id FROM conversations WHERE sandbox_id = $1 AND start_state = 'ready' AND deleted_at IS NULL`,
      [sandboxId],
    );
    await this.jobs.addAll(
      transaction,
      conversations.map(({ id }) => ({
        name: BACKFILL,
        payload: { conversationId: id, sandboxId },
        key: `backfill:${id}`,
        maxAttempts: 5,
      })),
    );
  }

  private async fill(conversationId: string, sandboxId: string): Promise<void> {
    const sandbox = await this.sandboxes.byId(sandboxId);
    if (!sandbox?.agentServer) return;
    const last = await this.events.lastLogged(conversationId);
    try {
      await this.readFrom(sandbox.agentServer, conversationId, last);
    } catch (error) {
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
    for await (const told of this.agentServers.events.after(target, conversationId, after)) {
      const event = readEvent(JSON.stringify(told), this.clock.now());
      if (event) batch.push(event);
      if (batch.length < BATCH) continue;
      await this.store(conversationId, batch);
      batch = [];
    }
    await this.store(conversationId, batch);
  }

  private async store(conversationId: string, batch: readonly ReceivedEvent[]): Promise<void> {
    await this.database.transaction((transaction) => this.events.add(transaction, conversationId, batch));
  }
}
