import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { uuidText } from '../../common';
import { AgentServerClient } from '../../agent-server';
import { JobHandlers, JobQueue } from '../../jobs';
import { SandboxReader } from '../../sandboxes';

const REMOVE = 'conversation-removed';
const MAX_ATTEMPTS = 5;
const payloadSchema = z.object({ conversationId: uuidText, sandboxId: uuidText.nullable() });

/** Deletes conversations at their agent servers, by a job. */
@Injectable()
export class AgentServerDeletion {
  private readonly logger = new Logger(AgentServerDeletion.name);

  constructor(
    private readonly jobs: JobQueue,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    handlers: JobHandlers,
  ) {
    handlers.register(
      REMOVE,
      payloadSchema,
      ({ conversationId, sandboxId }) => this.delete(conversationId, sandboxId),
      'slow',
    );
  }

  /** Deletes it once the transaction commits; nothing happens while the sandbox does not run. */
  async schedule(transaction: EntityManager, conversationId: string, sandboxId: string): Promise<void> {
    await this.jobs.add(transaction, {
      name: REMOVE,
      payload: { conversationId, sandboxId },
      maxAttempts: MAX_ATTEMPTS,
    });
  }

  private async delete(conversationId: string, sandboxId: string | null): Promise<void> {
    const sandbox = sandboxId === null ? null : await this.sandboxes.byId(sandboxId);
    if (!sandbox?.agentServer) return;
    const known = await this.agentServers.deleteConversation(sandbox.agentServer, conversationId);
    if (!known) this.logger.debug(`The agent server knew no conversation ${conversationId} to delete.`);
  }
}
