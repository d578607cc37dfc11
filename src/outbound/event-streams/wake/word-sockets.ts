import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EventSocket } from '../../../sandboxes/agent-server';
import { backOff, Clock, KeyedSemaphore } from '../../../kernel/common';
import { type ConversationServer, ConversationServers } from '../../../conversations/conversations';
import { Notifications } from '../../../kernel/database';
import { isTransient, TRANSIENT_KIND } from '../../../conversations/events';
import { ConversationTails } from '../tails/tails';
import { NEWS_CHANNEL } from './wake.query';
import { WordListeners } from './word-listeners';

/** WebSockets of this process to agent servers, and of these the shares of the conversations of one organization and user. */
const MAX_SOCKETS = { all: 1_000, org: 500, user: 64 };

const ROUND_MS = 1_000;
/** Rounds between looks for agent servers that have come back, which a notification mostly announces sooner. */
const LOOK_ROUNDS = 5;
const LIFE_ROUNDS = 15;

/** After one that was open for so long, the next is opened at once; after others, ever later. */
const LASTED_MS = 10_000;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** The WebSocket for one conversation, open or to be opened again. */
interface Listening {
  readonly beganAtMs: number;
  /** Null where it has ended, or there are too many. */
  socket: EventSocket | null;
  /** Gives back the room that the WebSocket takes. */
  release: () => void;
  /** The agent server sends what happens. */
  isListenedTo: boolean;
  /** It had no streams at the last round. */
  isLeft: boolean;
  failures: number;
  retryAtMs: number;
}

/**
 * Follows what agents write while they write it, for the streams of this process: agent servers send that on their
 * WebSockets only. There is one for each conversation that is listened to, for as long as it is.
 */
@Injectable()
export class WordSockets implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WordSockets.name);
  private readonly all = new Map<string, Listening>();
  private readonly room = new KeyedSemaphore(MAX_SOCKETS);
  private readonly requested = new Set<string>();
  /** Conversations that a replica waits for. */
  private readonly awaited = new Set<string>();
  private readonly wordListeners: ((conversationId: string, event: string) => void)[] = [];
  private isLooking = false;
  private rounds = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly tails: ConversationTails,
    private readonly servers: ConversationServers,
    private readonly listeners: WordListeners,
    private readonly clock: Clock,
    notifications: Notifications,
  ) {
    tails.onJoin((id) => this.look([id]));
    listeners.onReachable((id) => this.openAwaited(id));
    // It may be about a delivered message, which means that the agent is about to write.
    notifications.listen(NEWS_CHANNEL, (payload) => this.look(payload?.split(',') ?? []));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.round(), ROUND_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.requested.clear();
    for (const { socket } of this.all.values()) socket?.close();
    this.all.clear();
  }

  /** Subscribes to what agents write, as JSON texts; the listener must be quick. */
  onWords(listener: (conversationId: string, event: string) => void): void {
    this.wordListeners.push(listener);
  }

  /** Whether streams get an agent's text from its WebSocket, so that other sources of it have to be skipped. */
  follows(conversationId: string): boolean {
    return this.all.get(conversationId)?.isListenedTo === true;
  }

  /** Opens a WebSocket that somebody waits for, where it is listened to: that of another run of the sandbox has ended. */
  private openAwaited(id: string): boolean {
    const known = this.all.get(id);
    if (known !== undefined) this.drop(id, known);
    if (!this.isWanted(id)) return false;
    this.awaited.add(id);
    this.look([id]);
    return true;
  }

  private settle(id: string): void {
    if (this.awaited.delete(id)) this.listeners.opened(id);
  }

  /** Opens the WebSockets of those of the conversations that are listened to, and whose agent servers can be reached now. */
  private look(ids: Iterable<string>): void {
    for (const id of ids) this.requested.add(id);
    if (!this.isLooking && this.requested.size > 0) void this.openRequested();
  }

  private async openRequested(): Promise<void> {
    this.isLooking = true;
    try {
      while (this.requested.size > 0) {
        const ids = [...this.requested].filter((id) => this.isWanted(id) && this.isDue(id));
        this.requested.clear();
        const servers = ids.length > 0 ? await this.servers.of(ids) : new Map<string, ConversationServer>();
        for (const [id, server] of servers) this.open(id, server);
        for (const id of ids) if (!this.all.get(id)?.socket && !this.requested.has(id)) this.settle(id);
      }
    } catch (error) {
      this.requested.clear();
      this.logger.debug({ err: error }, 'It could not be read where conversations are; it is tried again');
    } finally {
      this.isLooking = false;
    }
  }

  private isDue(id: string): boolean {
    const known = this.all.get(id);
    return known === undefined || (known.socket === null && this.clock.monotonicMs() >= known.retryAtMs);
  }

  private open(id: string, { agentServer, orgId, userId }: ConversationServer): void {
    // The process may have stopped meanwhile.
    if (this.timer === undefined) return;
    const beganAtMs = this.clock.monotonicMs();
    const made: Listening = {
      beganAtMs,
      retryAtMs: beganAtMs + RETRY_MS,
      failures: this.all.get(id)?.failures ?? 0,
      socket: null,
      release: () => undefined,
      isListenedTo: false,
      isLeft: false,
    };
    this.all.set(id, made);
    const keys = { all: '', org: orgId, user: userId };
    if (!this.room.fits(keys)) return;
    made.release = this.room.take(keys);
    made.socket = new EventSocket(agentServer, id, {
      received: (event) => {
        made.isListenedTo = true;
        this.settle(id);
        if (isTransient(event)) for (const listener of this.wordListeners) listener(id, event);
      },
      ended: () => this.ended(id, made),
    });
  }

  private ended(id: string, listening: Listening): void {
    const nowMs = this.clock.monotonicMs();
    const lasted = listening.isListenedTo && nowMs - listening.beganAtMs >= LASTED_MS;
    listening.socket = null;
    listening.release();
    listening.isListenedTo = false;
    listening.failures = lasted ? 0 : listening.failures + 1;
    listening.retryAtMs = nowMs + backOff(listening.failures, RETRY_MS, MAX_RETRY_MS);
    this.settle(id);
    this.logger.debug(
      { conversation: id, failures: listening.failures },
      'The WebSocket of an agent server ended',
    );
  }

  private round(): void {
    this.rounds++;
    for (const [id, listening] of this.all) {
      listening.socket?.readOn();
      if (this.rounds % LIFE_ROUNDS === 0) listening.socket?.checkLife();
      const isLeft = !this.isWanted(id);
      // A stream that reads a large event for itself leaves for a moment.
      if (isLeft && listening.isLeft) this.drop(id, listening);
      listening.isLeft = isLeft;
    }
    if (this.rounds % LOOK_ROUNDS === 0) this.look(this.tails.followed());
  }

  private isWanted(id: string): boolean {
    return this.tails.wants(id, TRANSIENT_KIND);
  }

  private drop(id: string, { socket, release }: Listening): void {
    socket?.close();
    release();
    this.all.delete(id);
    this.settle(id);
  }
}
