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
    for (;;) {
      try {
        if (await this.database.transaction((transaction) => this.removeFamily(transaction, id)))
          return 'done';
      } catch (error) {
        if (!whenLifted || !(error instanceof LegalHoldError)) throw error;
        // It may have been lifted since: nobody would delete it then.
        if (await this.database.transaction((transaction) => this.await(transaction, id))) return 'awaited';
      }
    }
  }

  /**
   * @returns false when a conversation was added before the family was locked: nothing is done then
   * @throws LegalHoldError
   */
  private async removeFamily(transaction: EntityManager, id: string): Promise<boolean> {
    const found = await this.conversations.familyOf(transaction, id);
    const foundIds = found.map((member) => member.id);
    const sandboxIds = [
      ...new Set(found.map(({ sandboxId }) => sandboxId).filter((sandboxId) => sandboxId !== null)),
    ];
    await this.release.lock(transaction, sandboxIds);
    await this.conversations.lock(transaction, foundIds);
    // Starting a child of one of these locks its row, so from here on the family stays as it is.
    const family = await this.conversations.familyOf(transaction, id);
    if (family.some((member) => !foundIds.includes(member.id))) return false;

    const ids = family.map((member) => member.id);
    await this.conversations.markDeleted(transaction, family);
    await this.startTasks.failAll(transaction, ids, DELETED);
    // After these, as it locks users.
    if (await this.holds.areConversationsHeld(transaction, ids)) throw new LegalHoldError();
    await this.queue.close(transaction, ids, DELETED);
    for (const sandboxId of sandboxIds) {
      const inIt = family.filter((member) => member.sandboxId === sandboxId);
      await this.release.leave(transaction, sandboxId, inIt, { keepsLog: false });
    }
    return true;
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
