import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AgentListeners, ConversationReports } from '../../../conversations/conversations';
import { Notifications } from '../../../kernel/database';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { StreamReaders } from './wake-ups';
import { LISTENERS_CHANNEL, NOTIFY_LISTENERS } from './wake.query';

/** A message waits so long at most for a replica that is about to listen. */
const MAX_WAIT_MS = 1_000;
const POLL_MS = 5;

/** @returns whether this replica opens a WebSocket for the conversation, and will say when it has */
type Opener = (conversationId: string) => boolean;

/**
 * Holds messages to agents back until all listeners are connected. Once an agent can be reached, each replica
 * with streams of its conversation opens a WebSocket, and notifies the others that it does and when it has; a replica with a
 * message for that agent waits until then.
 */
@Injectable()
export class WordListeners {
  private readonly logger = new Logger(WordListeners.name);
  /** By conversation, the replicas that are about to listen. */
  private readonly opening = new Map<string, Set<string>>();
  private open: Opener = () => false;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: ConversationReports,
    private readonly readers: StreamReaders,
    agents: AgentListeners,
    notifications: Notifications,
  ) {
    agents.register((id) => this.areOpen(id));
    notifications.listen(LISTENERS_CHANNEL, (payload) => {
      const [id = '', replica, step] = payload?.split(' ') ?? [];
      if (replica === undefined) this.reachable(id);
      else if (replica !== readers.replica) this.note(id, replica, step === 'opens');
    });
  }

  /** Calls back when the agent of a conversation can be reached, for the first time or again. */
  onReachable(open: Opener): void {
    this.open = open;
  }

  /** Ends what {@link onReachable} began: this replica listens now, or could not connect. */
  opened(conversationId: string): void {
    this.step(conversationId, 'opened');
  }

  @OnDomainEvent('start_task.status_changed')
  async followStart(
    { conversation_id, status }: DomainEventOf<'start_task.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (status === 'READY' && this.readers.areAnywhere())
      await NOTIFY_LISTENERS.rows(transaction, [[conversation_id]]);
  }

  @OnDomainEvent('sandbox.status_changed')
  async followSandbox(
    { sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (status === 'RUNNING' && this.readers.areAnywhere())
      await NOTIFY_LISTENERS.rows(transaction, [
        await this.conversations.idsReadyIn(transaction, sandbox_id),
      ]);
  }

  /** Waits for the replicas that are about to listen to a conversation, for a second at most each time one is. */
  private async areOpen(conversationId: string): Promise<void> {
    while (this.opening.has(conversationId)) await sleep(POLL_MS);
  }

  private reachable(conversationId: string): void {
    if (this.open(conversationId)) this.step(conversationId, 'opens');
  }

  private step(conversationId: string, step: 'opens' | 'opened'): void {
    const { replica } = this.readers;
    this.note(conversationId, replica, step === 'opens');
    NOTIFY_LISTENERS.rows(this.database, [[`${conversationId} ${replica} ${step}`]]).catch((error: unknown) =>
      this.logger.debug({ err: error }, 'The others were not told who listens; they wait for nobody'),
    );
  }

  private note(conversationId: string, replica: string, opens: boolean): void {
    const replicas = this.opening.get(conversationId) ?? new Set();
    if (opens) {
      this.opening.set(conversationId, replicas.add(replica));
      // The replica may crash before it reports that it listens.
      setTimeout(() => this.note(conversationId, replica, false), MAX_WAIT_MS).unref();
    } else if (replicas.delete(replica) && replicas.size === 0) this.opening.delete(conversationId);
  }
}
