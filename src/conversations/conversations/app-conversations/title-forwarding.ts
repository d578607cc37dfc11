import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { uuidText } from '../../../kernel/common';
import { AgentServerClient } from '../../../sandboxes/agent-server';
import { JobHandlers, JobQueue } from '../../../kernel/jobs';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { ConversationRepository } from '../record/conversation.repository';
import { MAX_AGENT_SERVER_TITLE } from '../record/text-limits';

const FORWARD = 'forward-title';
const payloadSchema = z.object({ conversationId: uuidText });

/** Forwards a title that a user gave to the agent server, so that both have the same. */
@Injectable()
export class TitleForwarding {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.register(FORWARD, payloadSchema, ({ conversationId }) => this.forward(conversationId), 'slow');
  }

  /** Forwards it once the transaction commits; nothing happens while the sandbox does not run. */
  async later(transaction: EntityManager, conversationId: string): Promise<void> {
    await this.jobs.add(transaction, {
      name: FORWARD,
      payload: { conversationId },
      key: `title:${conversationId}`,
      maxAttempts: 3,
    });
  }

  private async forward(conversationId: string): Promise<void> {
    const conversation = await this.conversations.findReady(conversationId);
    if (!conversation?.title || conversation.sandboxId === null) return;
    const sandbox = await this.sandboxes.byId(conversation.sandboxId);
    if (!sandbox?.agentServer) return;
    const title = conversation.title.slice(0, MAX_AGENT_SERVER_TITLE);
    // The agent server reports this title back; that must not overwrite the record.
    await this.conversations.recordForwardedTitle(conversationId, title.toWellFormed());
    await this.agentServers.patchConversation(sandbox.agentServer, conversationId, { title });
  }
}
