import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { uuidText } from '../../../kernel/common';
import { AgentServerClient } from '../../../sandboxes/agent-server';
import { ConversationReports } from '../../conversations';
import { JobHandlers, JobQueue } from '../../../kernel/jobs';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { stateOfInfo } from './reported-state';

const REFRESH = 'refresh-conversation';
const DELAY_MS = 1_000;
const payloadSchema = z.object({ conversationId: uuidText });

/** Asks the agent server for what it never reports by itself: the title it generated, and the final totals. */
@Injectable()
export class ConversationRefresh {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly conversations: ConversationReports,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.register(REFRESH, payloadSchema, ({ conversationId }) => this.refresh(conversationId), 'slow');
  }

  /** Asks shortly after the transaction commits. */
  async later(transaction: EntityManager, conversationId: string): Promise<void> {
    await this.jobs.add(transaction, {
      name: REFRESH,
      payload: { conversationId },
      key: `refresh:${conversationId}`,
      runAt: new Date(Date.now() + DELAY_MS),
      maxAttempts: 3,
    });
  }

  private async refresh(conversationId: string): Promise<void> {
    const sandboxId = await this.conversations.sandboxOf(conversationId);
    const sandbox = sandboxId === null ? null : await this.sandboxes.byId(sandboxId);
    if (!sandbox?.agentServer) return;
    const info = await this.agentServers.getConversation(sandbox.agentServer, conversationId);
    if (info === null) return;
    await this.database.transaction((transaction) =>
      this.conversations.apply(transaction, conversationId, stateOfInfo(info)),
    );
  }
}
