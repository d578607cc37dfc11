import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { JobQueue } from '../../../kernel/jobs';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { ConversationRepository } from '../record/conversation.repository';
import { ConversationRemovals, ConversationRemovalsRepository, removalJob } from './conversation-removals';

/** Removes what deleted sandboxes leave at a shared server, and what waits for a sandbox to run again, or to go. */
@Injectable()
export class RemovalsOnSandboxChange {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly removals: ConversationRemovals,
    private readonly waiting: ConversationRemovalsRepository,
    private readonly servers: SandboxReader,
    private readonly jobs: JobQueue,
  ) {}

  @OnDomainEvent('sandbox.status_changed')
  async followSandbox(
    { sandbox_id, status, stopping }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (stopping) await this.onStopping(transaction, sandbox_id);
    else if (status === 'RUNNING' || status === 'MISSING') await this.onSettled(transaction, sandbox_id);
  }

  private async onStopping(transaction: EntityManager, sandboxId: string): Promise<void> {
    const server = await this.servers.sharedServerOf(transaction, sandboxId);
    if (!server?.isSandboxDeleted) return;
    const left = await this.conversations.membersIn(transaction, sandboxId);
    await this.removals.add(transaction, sandboxId, left, true);
  }

  private async onSettled(transaction: EntityManager, sandboxId: string): Promise<void> {
    const ids = await this.waiting.idsWaitingFor(transaction, sandboxId);
    await this.jobs.addAll(
      transaction,
      ids.map((id) => removalJob(id, null)),
    );
  }
}
