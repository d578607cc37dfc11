import type { Clock } from '../../../kernel/common';

const WINDOW_MS = 1_000;

/** Bytes that are sent within the time, and of these the share of one conversation: floods leave room for others. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_BYTES_OF_CONVERSATION = 256 * 1024;

/** Bounds what a replica sends to the others of passing events, since they share one queue with all notifications. */
export class NotificationBudget {
  private endsAtMs = 0;
  private bytes = 0;
  private readonly ofConversation = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Takes so many bytes of a conversation's share. @returns false when it has no more, or all together have not */
  take(conversationId: string, bytes: number): boolean {
    this.renew();
    const ofConversation = (this.ofConversation.get(conversationId) ?? 0) + bytes;
    if (this.bytes + bytes > MAX_BYTES || ofConversation > MAX_BYTES_OF_CONVERSATION) return false;
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
