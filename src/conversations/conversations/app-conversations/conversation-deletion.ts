import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { LegalHoldError, LegalHolds } from '../../../accounts/legal-holds';
import { ConversationQueue } from '../queue/conversation-queue';
import { ConversationRepository } from '../record/conversation.repository';
import { AwaitedDeletion } from '../removal/awaited-deletion.entity';
import { StartTaskRepository } from '../start-tasks/start-task.repository';
import { SandboxRelease } from '../removal/sandbox-release';

const DELETED = 'The conversation was deleted.';

/** Conversations that were deleted together. */
interface DeletedFamily {
  readonly ids: readonly string[];
  /** Of the messages that were queued for them. */
  readonly failedMessages: number;
}

/** What became of a deletion: it is done, or done once a legal hold is lifted. */
export type Deletion = 'done' | 'awaited';

/** Deletes conversations: at once for clients, by a job at the agent server. */
@Injectable()
export class ConversationDeletion {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: ConversationRepository,
    private readonly startTasks: StartTaskRepository,
    private readonly queue: ConversationQueue,
    private readonly release: SandboxRelease,
    private readonly holds: LegalHolds,
  ) {}

  /**
   * Deletes a conversation, those that belong to it, and sandboxes made for them that serve nothing else.
   * @param whenLifted has it deleted later where a legal hold is in the way
   * @throws LegalHoldError
   */
  async remove(id: string, whenLifted = false): Promise<Deletion> {
    const all = (): Promise<boolean> => Promise.resolve(true);
    for (;;) {
      try {
        if (
          (await this.database.transaction((transaction) => this.removeIn(transaction, id, all))) !==
          'changed'
        )
          return 'done';
      } catch (error) {
        if (!whenLifted || !(error instanceof LegalHoldError)) throw error;
        // It may have been lifted since: nobody would delete it then.
        if (await this.database.transaction((transaction) => this.await(transaction, id))) return 'awaited';
      }
    }
  }

  /**
   * As {@link remove}, in the caller's transaction, of a family that is still to go once it is locked: its sandboxes, and all of
   * its conversations. @param mayGo asked then; nothing is done where it says no
   * @returns those that were deleted, and how many queued messages failed with them; 'changed' when a conversation was added before
   *   they were locked, and nothing is done
   * @throws LegalHoldError
   */
  async removeIn(
    transaction: EntityManager,
    id: string,
    mayGo: (ids: readonly string[]) => Promise<boolean>,
  ): Promise<DeletedFamily | 'changed'> {
    const found = await this.conversations.familyOf(transaction, id);
    const foundIds = found.map((member) => member.id);
    const sandboxIds = [
      ...new Set(found.map(({ sandboxId }) => sandboxId).filter((sandboxId) => sandboxId !== null)),
    ];
    await this.release.lock(transaction, sandboxIds);
    await this.conversations.lock(transaction, foundIds);
    // Starting a child of one of these locks its row, so from here on the family stays as it is.
    const family = await this.conversations.familyOf(transaction, id);
    if (family.some((member) => !foundIds.includes(member.id))) return 'changed';
    const ids = family.map((member) => member.id);
    if (ids.length === 0 || !(await mayGo(ids))) return { ids: [], failedMessages: 0 };

    await this.conversations.markDeleted(transaction, family);
    await this.startTasks.failAll(transaction, ids, DELETED);
    // After these, as it locks users.
    if (await this.holds.areConversationsHeld(transaction, ids)) throw new LegalHoldError();
    const failedMessages = await this.queue.close(transaction, ids, DELETED);
    for (const sandboxId of sandboxIds) {
      const inIt = family.filter((member) => member.sandboxId === sandboxId);
      await this.release.leave(transaction, sandboxId, inIt, { keepsLog: false });
    }
    return { ids, failedMessages };
  }

  /** Notes that it is deleted later. @returns false when it is held no more */
  private async await(transaction: EntityManager, conversationId: string): Promise<boolean> {
    const family = await this.conversations.familyOf(transaction, conversationId);
    const first = family.find(({ id }) => id === conversationId);
    if (first === undefined) return false;
    const ids = family.map(({ id }) => id);
    if (!(await this.holds.areConversationsHeld(transaction, ids))) return false;
    await transaction
      .createQueryBuilder()
      .insert()
      .into(AwaitedDeletion)
      .values({ conversationId, orgId: first.orgId })
      .orIgnore()
      .execute();
    return true;
  }
}
