import type { EntityManager } from 'typeorm';

/** The first message of a conversation: queued outside the limit, delivered before all others. */
export interface InitialMessage {
  /** The JSON text of the content blocks, as it came. */
  readonly content: string;
  /** Whether the agent runs on it. */
  readonly run: boolean;
}

/** A conversation for which messages may be queued. */
export interface QueuedFor {
  readonly conversationId: string;
  readonly taskId: string;
  readonly orgId: string;
  readonly userId: string;
}

/** A message that waits now. */
export interface QueuedMessageReceipt {
  readonly id: string;
  /** The position among the undelivered messages, from 1. */
  readonly position: number;
}

/** Messages of a queue that was stopped. */
export interface StoppedMessages {
  /** That will not be delivered. */
  readonly failed: number;
  /** Whose delivery is under way. */
  readonly onTheirWay: number;
}

/** Messages that were removed. */
export interface RemovedMessages {
  readonly items: number;
  readonly bytes: number;
}

/** What conversations need from the queues of their messages. Implemented by `pending-messages`. */
export abstract class ConversationQueue {
  /**
   * A conversation is being started: its initial message becomes the first of its queue, and what the
   * caller queued under its id before is attached after it.
   */
  abstract open(
    transaction: EntityManager,
    conversation: QueuedFor,
    initial: InitialMessage | null,
  ): Promise<void>;

  /**
   * Queues a message of a user for their conversation; it is delivered once the sandbox runs.
   * @param content the JSON text of its blocks, as it came
   * @throws QueueClosedError, QueueFullError, UserMessageBytesError, OrganizationMessageBytesError
   */
  abstract add(
    transaction: EntityManager,
    to: Pick<QueuedFor, 'conversationId' | 'userId'>,
    content: string,
  ): Promise<QueuedMessageReceipt>;

  /** Whether messages wait that would be overtaken by one that is sent past the queue. */
  abstract hasWaiting(conversationId: string): Promise<boolean>;

  /** The conversation is ready: its queue can be delivered once the transaction commits. */
  abstract resume(transaction: EntityManager, conversationId: string): Promise<void>;

  /**
   * A conversation is stopped: its queued messages fail, with the reason, and one that is on its way is not tried again.
   * @returns how many were queued, or on their way
   */
  abstract stop(transaction: EntityManager, conversationId: string, reason: string): Promise<StoppedMessages>;

  /** Whether a message that was on its way when its conversation was stopped still is. */
  abstract hasStoppedOnItsWay(conversationId: string): Promise<boolean>;

  /**
   * Conversations that will never run again: their queued messages fail, with the reason.
   * @returns how many these are
   */
  abstract close(
    transaction: EntityManager,
    conversationIds: readonly string[],
    reason: string,
  ): Promise<number>;

  /**
   * Removes what is left of the queues of conversations that were deleted, so many messages at most.
   * @returns how many these are, of how many bytes; none once all of them are gone
   */
  abstract empty(
    transaction: EntityManager,
    conversationIds: readonly string[],
    most: number,
  ): Promise<RemovedMessages>;
}
