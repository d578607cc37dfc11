import { Injectable } from '@nestjs/common';
import type { AgentServer } from '../../../sandboxes/agent-server';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { ConversationRepository } from '../record/conversation.repository';

/** The current agent server of a conversation, and its owner. */
export interface ConversationServer {
  readonly agentServer: AgentServer;
  readonly orgId: string;
  readonly userId: string;
}

/** Finds the agent servers that have conversations. */
@Injectable()
export class ConversationServers {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly sandboxes: SandboxReader,
  ) {}

  /** The servers that can be reached now, by conversation. */
  async of(conversationIds: readonly string[]): Promise<ReadonlyMap<string, ConversationServer>> {
    const rows = await this.conversations.findMany(conversationIds);
    const sandboxes = await this.sandboxes.byIds(rows.flatMap(({ sandboxId }) => sandboxId ?? []));
    const servers = new Map<string, ConversationServer>();
    for (const { id, sandboxId, startState, orgId, createdByUserId: userId } of rows) {
      const { agentServer = null, stopping = true } = sandboxes.get(sandboxId ?? '') ?? {};
      if (startState === 'ready' && agentServer !== null && !stopping)
        servers.set(id, { agentServer, orgId, userId });
    }
    return servers;
  }
}
