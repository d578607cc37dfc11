import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type AgentServer, AgentServerClient, EventMarkUnknownError } from '../../../sandboxes/agent-server';
import { Clock, uuidText } from '../../../kernel/common';
import { type DelayedJob, JobHandlers, JobQueue, type NewJob } from '../../../kernel/jobs';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { EventRepository } from '../storage/event.repository';
import { isEventLimit } from '../storage/events.errors';
import { readEvent, type ReceivedEvent } from '../storage/received-event';
import { ConversationReports } from '../../conversations';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { z } from 'zod';
import { stateOfInfo } from './reported-state';

const REFRESH = 'refresh-conversation';
const DELAY_MS = 1_000;
const payloadSchema = z.object({ conversationId: uuidText });

/** Reads from the agent server what it never reports: the title it generated, and the final totals. */
@Injectable()
export class ConversationRefresh {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly conversations: ConversationReports,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.register(REFRESH, payloadSchema, ({ conversationId }) => this.refresh(conversationId), 'slow');
  }

  /** Asks shortly after the transaction commits. */
  async later(transaction: EntityManager, conversationId: string): Promise<void> {
    await this.jobs.add(transaction, this.jobFor(conversationId));
  }

  /** The job that asks shortly after it was added. */
  jobFor(conversationId: string): DelayedJob {
    return {
      name: REFRESH,
      payload: { conversationId },
      key: `refresh:${conversationId}`,
      runAt: new Date(Date.now() + DELAY_MS),
      maxAttempts: 3,
    };
  }

  private async refresh(conversationId: string): Promise<void> {
    const sandboxId = await this.conversations.sandboxOf(conversationId);
    const sandbox = sandboxId === null ? null : await this.sandboxes.byId(sandboxId);
    if (!sandbox?.agentServer) return;
    const info = await this.agentServers.getConversation(sandbox.agentServer, conversationId);
    if (info === null) return;
    await this.database.transaction((transaction) =>
      this.conversations.apply(transaction, conversationId, stateOfInfo(info)),
    );
  }
}

/** Name of the job that reads missing events from an agent server's log. */
const BACKFILL_JOB = 'backfill-events';

const MAX_ATTEMPTS = 5;

const backfillPayload = z.object({ conversationId: uuidText, sandboxId: uuidText });

/** The job that reads the missing events of one conversation; there is at most one that has not begun. */
function backfillJob(conversationId: string, sandboxId: string): NewJob {
  return {
    name: BACKFILL_JOB,
    payload: { conversationId, sandboxId },
    key: `backfill:${conversationId}`,
    maxAttempts: MAX_ATTEMPTS,
  };
}

/** Backfills the events of conversations when their sandbox runs again. */
@Injectable()
export class BackfillOnRunning {
  constructor(
    private readonly conversations: ConversationReports,
    private readonly jobs: JobQueue,
  ) {}

  @OnDomainEvent('sandbox.status_changed')
  async scheduleOnceRunning(
    { sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (status !== 'RUNNING') return;
    const ids = await this.conversations.idsReadyIn(transaction, sandbox_id);
    await this.jobs.addAll(
      transaction,
      ids.map((id) => backfillJob(id, sandbox_id)),
    );
  }
}

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
      if (isEventLimit(error)) {
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
