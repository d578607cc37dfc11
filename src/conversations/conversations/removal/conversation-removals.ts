import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { JobQueue } from '../../../kernel/jobs';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import type { FamilyMember } from '../record/conversation.query';
import type { ConversationRemoval } from './conversation-removal.entity';
import { ConversationRemovalsRepository } from './conversation-removals.repository';
import { removalJob } from './idle-removals';

/** A start call that is under way ends within a minute, and its agent server may take a moment more. */
const SETTLE_SECONDS = 90;
const LOOK_AGAIN_MS = 2_000;

/** Has deleted conversations removed from their agent servers (docs/sandboxes.md#deleted-conversations). */
@Injectable()
export class ConversationRemovals {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly removals: ConversationRemovalsRepository,
    private readonly servers: SandboxReader,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Removes conversations once the transaction commits, or when their agent server answers again.
   * @param deletesSandbox whether the sandbox is deleted as well, with an agent server that is its own
   */
  async add(
    transaction: EntityManager,
    sandboxId: string,
    conversations: readonly Pick<FamilyMember, 'id' | 'startTaskId'>[],
    deletesSandbox: boolean,
  ): Promise<void> {
    const server = await this.servers.sharedServerOf(transaction, sandboxId);
    if (server === null && deletesSandbox) return;
    for (const { id, startTaskId } of conversations)
      await this.removals.add(transaction, {
        conversationId: id,
        sandboxId,
        driver: server?.driver ?? null,
        baseUrl: server?.baseUrl ?? null,
        startTaskId,
        settleSeconds: startTaskId === null ? 0 : SETTLE_SECONDS,
      });
    await this.jobs.addAll(
      transaction,
      conversations.map(({ id }) => removalJob(id, server?.baseUrl ?? null)),
    );
  }

  /** Has another look at one that a start may still make. */
  async lookAgain({ conversationId, baseUrl }: ConversationRemoval): Promise<void> {
    const at = new Date(this.clock.now().getTime() + LOOK_AGAIN_MS);
    await this.jobs.add(this.database.manager, removalJob(conversationId, baseUrl, at));
  }

  find(conversationId: string): Promise<ConversationRemoval | null> {
    return this.removals.find(conversationId);
  }

  /** Nothing is left of it. */
  end(conversationId: string): Promise<void> {
    return this.removals.end(conversationId);
  }

  /** Removes a conversation that was deleted before: its start, which was under way, may have made it since. */
  async addDeleted(conversation: Pick<FamilyMember, 'id' | 'startTaskId'>, sandboxId: string): Promise<void> {
    await this.database.transaction((transaction) => this.add(transaction, sandboxId, [conversation], false));
  }
}
