import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { Notifications } from '../../../kernel/database';
import { TRANSIENT_KIND, TransientEvents } from '../../../conversations/events';
import { transientFrame } from '../sources/frames';
import { ConversationTails } from '../tails/tails';
import { StreamReaders } from './wake-ups';
import { MAX_PAYLOAD_BYTES, NOTIFY_TRANSIENT, TRANSIENT_CHANNEL } from './wake.query';
import { WordSockets } from './word-sockets';

/** How many events wait to be sent to other replicas at most; further ones are dropped. */
const MAX_WAITING = 1_000;

/** A longer event reaches no stream: a reader that does not read holds it in memory. */
const MAX_BYTES = 256 * 1024;

/** Two ids and two spaces before an event. */
const HEAD_LENGTH = 74;

/**
 * Hands events that are not stored to the streams of their conversation: those that this replica receives on a WebSocket, and
 * those that an agent server posted to any replica, here at once and on others by notifications. Those that are too long
 * for a notification do not reach other replicas.
 */
@Injectable()
export class TransientRelay {
  private readonly logger = new Logger(TransientRelay.name);
  private readonly shares: NotificationBudget;
  private waiting: string[] = [];
  private isNotifying = false;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly readers: StreamReaders,
    private readonly tails: ConversationTails,
    words: WordSockets,
    events: TransientEvents,
    notifications: Notifications,
    clock: Clock,
  ) {
    this.shares = new NotificationBudget(clock);
    events.onArrival((conversationId, all) => {
      const texts = all.filter(isShort);
      if (!words.follows(conversationId)) for (const text of texts) this.pass(conversationId, text);
      if (readers.areElsewhere()) this.notify(conversationId, texts);
    });
    notifications.listen(TRANSIENT_CHANNEL, (payload) => {
      if (payload === null || payload.startsWith(readers.replica)) return;
      const conversationId = payload.slice(37, HEAD_LENGTH - 1);
      if (!words.follows(conversationId)) this.pass(conversationId, payload.slice(HEAD_LENGTH));
    });
    words.onWords((conversationId, text) => {
      if (isShort(text)) this.pass(conversationId, text);
    });
  }

  private pass(conversationId: string, text: string): void {
    this.tails.pass(conversationId, TRANSIENT_KIND, () => Buffer.from(transientFrame(text)));
  }

  private notify(conversationId: string, texts: readonly string[]): void {
    for (const text of texts) {
      const payload = `${this.readers.replica} ${conversationId} ${text}`;
      const bytes = Buffer.byteLength(payload);
      const hasRoom = bytes <= MAX_PAYLOAD_BYTES && this.waiting.length < MAX_WAITING;
      if (hasRoom && this.shares.take(conversationId, bytes)) this.waiting.push(payload);
    }
    if (!this.isNotifying && this.waiting.length > 0) void this.notifyAll();
  }

  /** One statement at a time, so that events stay in order. */
  private async notifyAll(): Promise<void> {
    this.isNotifying = true;
    while (this.waiting.length > 0) {
      const payloads = this.waiting;
      this.waiting = [];
      await NOTIFY_TRANSIENT.rows(this.database, [payloads]).catch((error: unknown) =>
        this.logger.debug({ err: error }, 'Other replicas were not notified of passing events'),
      );
    }
    this.isNotifying = false;
  }
}

function isShort(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_BYTES;
}

const WINDOW_MS = 1_000;

/** Bytes that are sent within the time, and of these the share of one conversation: floods leave room for others. */
const MAX_TOLD_BYTES = 2 * 1024 * 1024;
const MAX_TOLD_BYTES_OF_CONVERSATION = 256 * 1024;

/** Bounds what a replica sends to the others of passing events, since they share one queue with all notifications. */
class NotificationBudget {
  private endsAtMs = 0;
  private bytes = 0;
  private readonly ofConversation = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Takes so many bytes of a conversation's share. @returns false when it has no more, or all together have not */
  take(conversationId: string, bytes: number): boolean {
    this.renew();
    const ofConversation = (this.ofConversation.get(conversationId) ?? 0) + bytes;
    if (this.bytes + bytes > MAX_TOLD_BYTES || ofConversation > MAX_TOLD_BYTES_OF_CONVERSATION) return false;
    this.bytes += bytes;
    this.ofConversation.set(conversationId, ofConversation);
    return true;
  }

  private renew(): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs < this.endsAtMs) return;
    this.endsAtMs = nowMs + WINDOW_MS;
    this.bytes = 0;
    this.ofConversation.clear();
  }
}
