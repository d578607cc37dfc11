import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConversationDeletion } from '../app-conversations/conversation-deletion';
import { ConversationQueue, type RemovedMessages } from '../queue/conversation-queue';
import {
  DELETE_STARTS_OF,
  EMPTY_KEPT_REPOSITORY,
  EMPTY_RECORDS,
  KEEP_FIGURES,
  LOCK_EXPIRED,
  MARK_EXPIRED,
} from './expired-conversations.query';

/** A message came for a conversation while it was being removed: it stays. */
export class MessageQueuedMeanwhileError extends Error {
  override readonly name = 'MessageQueuedMeanwhileError';
}

/**
 * Conversations that nobody uses any more are removed in two steps: they are deleted, as by their creators, and then emptied, a
 * little at a time. Records without texts stay, so that late calls of agent servers bring nothing back (docs/retention.md).
 */
@Injectable()
export class ExpiredConversations {
  constructor(
    private readonly deletion: ConversationDeletion,
    private readonly queue: ConversationQueue,
  ) {}

  /**
   * Deletes a conversation with those below it, to be emptied, and keeps their figures as sums.
   * @param mayGo asked once all of them and their sandboxes are locked; nothing is done where it says no
   * @returns how many were deleted; 0 also where one was added meanwhile
   * @throws MessageQueuedMeanwhileError; the transaction must be rolled back
   */
  async remove(
    transaction: EntityManager,
    id: string,
    mayGo: (ids: readonly string[]) => Promise<boolean>,
  ): Promise<number> {
    const deleted = await this.deletion.removeIn(transaction, id, async (ids) => {
      if (!(await mayGo(ids))) return false;
      await KEEP_FIGURES.rows(transaction, [ids]);
      return true;
    });
    if (deleted === 'changed') return 0;
    if (deleted.failedMessages > 0) throw new MessageQueuedMeanwhileError();
    await this.markExpired(transaction, deleted.ids);
    return deleted.ids.length;
  }

  /** Decides that conversations that were deleted before are emptied. @returns how many of them had not been decided on */
  async markExpired(transaction: EntityManager, ids: readonly string[]): Promise<number> {
    return (await MARK_EXPIRED.rows(transaction, [ids])).length;
  }

  /**
   * Removes what expired conversations hold besides their events, so many messages at most; to be called again until there are
   * none, when their records are emptied, too.
   */
  async empty(transaction: EntityManager, ids: readonly string[], most: number): Promise<RemovedMessages> {
    const locked = (await LOCK_EXPIRED.rows(transaction, [ids])).map(({ id }) => id);
    await DELETE_STARTS_OF.rows(transaction, [locked]);
    const removed = await this.queue.empty(transaction, locked, most);
    if (removed.items > 0) return removed;
    await EMPTY_RECORDS.rows(transaction, [locked]);
    await EMPTY_KEPT_REPOSITORY.rows(transaction, [locked]);
    return removed;
  }
}
