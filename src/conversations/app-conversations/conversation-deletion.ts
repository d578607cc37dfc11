import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { uuidText } from '../../common';
import { AgentServerClient } from '../../agent-server';
import { DomainEvents } from '../../domain-events';
import { JobHandlers, JobQueue } from '../../jobs';
import { SandboxLifecycle, SandboxReader } from '../../sandboxes';
import { ConversationQueue } from '../record/conversation-queue';

const REMOVE = 'conversation-removed';
const DELETED = 'The conversation was deleted.';
const removed = z.object({ conversationId: uuidText, sandboxId: uuidText.nullable() });

/** A conversation that is deleted, or is to be. */
interface FamilyRow {
  readonly id: string;
  readonly org_id: string;
  readonly sandbox_id: string | null;
}

/** Deletes conversations: at once for everyone who asks, at the agent server by a job. */
@Injectable()
export class ConversationDeletion {
  private readonly logger = new Logger(ConversationDeletion.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly queue: ConversationQueue,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly agentServers: AgentServerClient,
    private readonly events: DomainEvents,
    handlers: JobHandlers,
  ) {
    handlers.register(REMOVE, removed, (payload) => this.removeFromAgentServer(payload), 'slow');
  }

  /** Deletes a conversation, those that belong to it, and sandboxes made for them that serve nothing else. */
  async remove(id: string): Promise<void> {
    while (!(await this.database.transaction((transaction) => this.removeFamily(transaction, id))));
  }

  /** @returns false when somebody was born before the family was locked: nothing is done then */
  private async removeFamily(transaction: EntityManager, id: string): Promise<boolean> {
    const found = await this.familyOf(transaction, id);
    const foundIds = found.map((row) => row.id);
    const sandboxIds = [
      ...new Set(found.map((row) => row.sandbox_id).filter((sandboxId) => sandboxId !== null)),
    ];
    await this.lifecycle.lock(transaction, sandboxIds);
    await transaction.query('SELECT 1 FROM conversations WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [
      foundIds,
    ]);
    // Who starts another below one of these holds its row, so from here on the family stays as it is.
    const family = await this.familyOf(transaction, id);
    if (family.some((row) => !foundIds.includes(row.id))) return false;

    const ids = family.map((row) => row.id);
    await transaction.query(
      'UPDATE conversations SET deleted_at = now(), updated_at = now() WHERE id = ANY ($1)',
      [ids],
    );
    await transaction.query(
      `UPDATE start_tasks SET status = 'ERROR', detail = $2, sealed_secrets = NULL, updated_at = now()
        WHERE conversation_id = ANY ($1) AND status NOT IN ('READY', 'ERROR')`,
      [ids, DELETED],
    );
    await this.events.publish(
      transaction,
      ...family.map(({ id: conversation_id, org_id }) => ({
        kind: 'conversation.deleted' as const,
        org_id,
        conversation_id,
      })),
    );
    await this.queue.closed(transaction, ids, DELETED);
    for (const sandboxId of sandboxIds) {
      const inIt = family.filter((row) => row.sandbox_id === sandboxId);
      await this.leave(transaction, sandboxId, inIt);
    }
    return true;
  }

  /** A conversation and all below it, as far as they are not deleted. */
  private familyOf(transaction: EntityManager, id: string): Promise<FamilyRow[]> {
    return transaction.query<FamilyRow[]>(
      `WITH RECURSIVE family AS (
         SELECT id FROM conversations WHERE id = $1
         UNION SELECT c.id FROM conversations c JOIN family f ON c.parent_conversation_id = f.id
       )
       SELECT id, org_id, sandbox_id FROM conversations JOIN family USING (id) WHERE deleted_at IS NULL`,
      [id],
    );
  }

  /** A sandbox that was made for conversations goes with the last of them; one that was given stays. */
  private async leave(
    transaction: EntityManager,
    sandboxId: string,
    removedRows: readonly FamilyRow[],
  ): Promise<void> {
    const [use] = await transaction.query<[{ in_use: boolean; made_for_one: boolean }]>(
      `SELECT bool_or(deleted_at IS NULL) AS in_use, bool_or(own_sandbox) AS made_for_one
         FROM conversations WHERE sandbox_id = $1`,
      [sandboxId],
    );
    if (use.made_for_one && !use.in_use) return this.lifecycle.delete(transaction, sandboxId);
    for (const { id } of removedRows)
      await this.jobs.add(transaction, {
        name: REMOVE,
        payload: { conversationId: id, sandboxId },
        maxAttempts: 5,
      });
  }

  private async removeFromAgentServer({ conversationId, sandboxId }: z.infer<typeof removed>): Promise<void> {
    const sandbox = sandboxId === null ? null : await this.sandboxes.byId(sandboxId);
    if (!sandbox?.agentServer) return;
    const known = await this.agentServers.deleteConversation(sandbox.agentServer, conversationId);
    if (!known) this.logger.debug(`The agent server knew no conversation ${conversationId} to delete.`);
  }
}
