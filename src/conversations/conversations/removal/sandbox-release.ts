import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SandboxLifecycle } from '../../../sandboxes/sandboxes';
import type { FamilyMember } from '../record/conversation.query';
import { ConversationRepository } from '../record/conversation.repository';
import { ConversationRemovals } from './conversation-removals';

/** Conversations that leave their sandbox, since they were deleted or did not start. */
@Injectable()
export class SandboxRelease {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly lifecycle: SandboxLifecycle,
    private readonly removals: ConversationRemovals,
  ) {}

  /** Keeps sandboxes as they are until the transaction ends; before anything of their conversations is locked. */
  lock(transaction: EntityManager, sandboxIds: readonly string[]): Promise<void> {
    return this.lifecycle.lock(transaction, sandboxIds);
  }

  /**
   * Removes conversations from the agent server of their sandbox. One that was created for conversations is deleted with the
   * last of them; one the caller chose is kept.
   * @param keepsLog whether what the agent server wrote can be read for a while after that
   */
  async leave(
    transaction: EntityManager,
    sandboxId: string,
    conversations: readonly Pick<FamilyMember, 'id' | 'startTaskId'>[],
    { keepsLog }: { readonly keepsLog: boolean },
  ): Promise<void> {
    const deletesSandbox = await this.conversations.isUnused(transaction, sandboxId);
    await this.removals.add(transaction, sandboxId, conversations, deletesSandbox);
    if (!deletesSandbox) return;
    await (keepsLog
      ? this.lifecycle.giveBack(transaction, sandboxId)
      : this.lifecycle.delete(transaction, sandboxId));
  }
}
