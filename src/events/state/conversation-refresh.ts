import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { uuidText } from '../../common';
import { AgentServerClient } from '../../agent-server';
import { JobHandlers, JobQueue } from '../../jobs';
import { SandboxReader } from '../../sandboxes';
import { ConversationState, stateOfInfo } from './conversation-state';

const REFRESH = 'refresh-conversation';
const DELAY_MS = 1_000;
const payloadSchema = z.object({ conversationId: uuidText });

/** Asks the agent server for what it never tells by itself: the title it made up, and the final sums. */
@Injectable()
export class ConversationRefresh {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly state: ConversationState,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.register(REFRESH, payloadSchema, ({ conversationId }) => this.refresh(conversationId), 'slow');
  }

  /** Has it asked shortly after the transaction commits. */
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
    const [row] = await this.database.query<{ sandbox_id: string | null }[]>(
      'SELECT sandbox_id FROM conversations WHERE id = $1 AND deleted_at IS NULL',
      [conversationId],
    );
    if (!row?.sandbox_id) return;
    const sandbox = await this.sandboxes.byId(row.sandbox_id);
    if (!sandbox?.agentServer) return;
    const info = await this.agentServers.getConversation(sandbox.agentServer, conversationId);
    if (info === null) return;
    await this.database.transaction((transaction) =>
      this.state.apply(transaction, conversationId, stateOfInfo(info)),
    );
  }
}
