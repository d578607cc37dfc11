import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { uuidText } from '../../common';
import { AgentServerClient } from '../../agent-server';
import { JobHandlers, JobQueue } from '../../jobs';
import { SandboxReader } from '../../sandboxes';

const FORWARD = 'forward-title';
/** The longest title that agent servers take. */
const MAX_TITLE = 200;
const payloadSchema = z.object({ conversationId: uuidText });

/** Tells the agent server the title a person gave, so that both sides call the conversation the same. */
@Injectable()
export class TitleForwarding {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.register(FORWARD, payloadSchema, ({ conversationId }) => this.forward(conversationId), 'slow');
  }

  /** Has it told once the transaction commits; nothing happens while the sandbox does not run. */
  async later(transaction: EntityManager, conversationId: string): Promise<void> {
    await this.jobs.add(transaction, {
      name: FORWARD,
      payload: { conversationId },
      key: `title:${conversationId}`,
      maxAttempts: 3,
    });
  }

  private async forward(conversationId: string): Promise<void> {
    const [row] = await this.database.query<{ title: string | null; sandbox_id: string | null }[]>(
      `SELECT title, sandbox_id FROM conversations
        WHERE id = $1 AND start_state = 'ready' AND deleted_at IS NULL`,
      [conversationId],
    );
    if (!row?.title || row.sandbox_id === null) return;
    const sandbox = await this.sandboxes.byId(row.sandbox_id);
    if (!sandbox?.agentServer) return;
    const title = row.title.slice(0, MAX_TITLE);
    // Its echo is not news: the record keeps the whole title, or a newer one.
    await this.database.query('UPDATE conversations SET forwarded_title = $2 WHERE id = $1', [
      conversationId,
      title.toWellFormed(),
    ]);
    await this.agentServers.patchConversation(sandbox.agentServer, conversationId, { title });
  }
}
