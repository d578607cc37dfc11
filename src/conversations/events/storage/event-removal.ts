import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DELETE_LOGS, REMOVE_EVENTS } from './event.query';

/** Removes stored events, a little at a time: what was removed does not come back from agent servers (docs/retention.md). */
@Injectable()
export class EventRemoval {
  /**
   * Removes the first events of conversations, in the caller's transaction, under the locks of their logs.
   * @param most how many events at most
   * @returns how many these were, of how many bytes; none once all are gone
   */
  async remove(
    transaction: EntityManager,
    conversationIds: readonly string[],
    most: number,
  ): Promise<{ readonly items: number; readonly bytes: number }> {
    const [removed] = await REMOVE_EVENTS.rows(transaction, [conversationIds, most]);
    return removed ?? { items: 0, bytes: 0 };
  }

  /** Ends the logs of deleted conversations whose events are gone. */
  async end(transaction: EntityManager, conversationIds: readonly string[]): Promise<void> {
    await DELETE_LOGS.rows(transaction, [conversationIds]);
  }
}
