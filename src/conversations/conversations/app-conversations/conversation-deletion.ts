import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ConversationQueue } from '../queue/conversation-queue';
import { ConversationRepository } from '../record/conversation.repository';
import { StartTaskRepository } from '../start-tasks/start-task.repository';
import { SandboxRelease } from '../removal/sandbox-release';

const DELETED = 'The conversation was deleted.';

/** Deletes conversations: at once for clients, by a job at the agent server. */
@Injectable()
export class ConversationDeletion {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: ConversationRepository,
    private readonly startTasks: StartTaskRepository,
    private readonly queue: ConversationQueue,
    private readonly release: SandboxRelease,
  ) {}

  /** Deletes a conversation, those that belong to it, and sandboxes made for them that serve nothing else. */
  async remove(id: string): Promise<void> {
    while (!(await this.database.transaction((transaction) => this.removeFamily(transaction, id))));
  }

  /** @returns false when a conversation was added before the family was locked: nothing is done then */
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
    await this.queue.close(transaction, ids, DELETED);
    for (const sandboxId of sandboxIds) {
      const inIt = family.filter((member) => member.sandboxId === sandboxId);
      await this.release.leave(transaction, sandboxId, inIt, { keepsLog: false });
    }
    return true;
  }
}
