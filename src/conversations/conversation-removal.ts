import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { AgentServerClient } from '../agent-server';
import { JobHandlers, JobQueue } from '../jobs';
import { SandboxLifecycle, SandboxReader } from '../sandboxes';
import { ConversationQueue } from './conversation-queue';

const REMOVE = 'conversation-removed';
const removed = z.object({ conversationId: z.uuid(), sandboxId: z.uuid().nullable() });

interface RemovedRow {
  readonly id: string;
  readonly sandbox_id: string | null;
}

/** Deletes conversations: at once for everyone who asks, at the agent server by a job. */
@Injectable()
export class ConversationRemoval {
  private readonly logger = new Logger(ConversationRemoval.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly queue: ConversationQueue,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly agentServers: AgentServerClient,
    handlers: JobHandlers,
  ) {
    handlers.register(REMOVE, removed, (payload) => this.removeFromAgentServer(payload));
  }

  /** Deletes a conversation, those that belong to it, and sandboxes made for them that serve nothing else. */
  async remove(id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [rows] = await transaction.query<[RemovedRow[], number]>(
        `WITH RECURSIVE family AS (
           SELECT id FROM conversations WHERE id = $1
           UNION SELECT c.id FROM conversations c JOIN family f ON c.parent_conversation_id = f.id
         )
         UPDATE conversations c SET deleted_at = now(), updated_at = now()
           FROM family f WHERE c.id = f.id AND c.deleted_at IS NULL
         RETURNING c.id, c.sandbox_id`,
        [id],
      );
      for (const { id: removedId } of rows) await this.endWork(transaction, removedId);
      const sandboxIds = new Set(rows.map((row) => row.sandbox_id).filter((sandboxId) => sandboxId !== null));
      for (const sandboxId of sandboxIds) {
        const inIt = rows.filter((row) => row.sandbox_id === sandboxId);
        await this.leave(transaction, sandboxId, inIt);
      }
    });
  }

  private async endWork(transaction: EntityManager, id: string): Promise<void> {
    await this.queue.closed(transaction, id, 'The conversation was deleted.');
    await transaction.query(
      `UPDATE start_tasks SET status = 'ERROR', detail = 'The conversation was deleted.', sealed_secrets = NULL,
              updated_at = now()
        WHERE conversation_id = $1 AND status NOT IN ('READY', 'ERROR')`,
      [id],
    );
  }

  /** A sandbox that was made for conversations goes with the last of them; one that was given stays. */
  private async leave(
    transaction: EntityManager,
    sandboxId: string,
    removedRows: readonly RemovedRow[],
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
