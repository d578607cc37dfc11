import { randomUUID } from 'node:crypto';
import { startOf } from './agent-server-calls';
import { AgentServerDouble } from './agent-server-double';
import { ConversationClient } from '../service/conversation-client';
import { ConversationService } from '../service/conversation-service';
import { type StoredConversation, storeConversation } from '../queue/conversation-rows';
import type { TestCaller } from '../service/factories';
import type { TestAppOptions } from '../service/app';

/** Overrides for a conversation of {@link DoubledService}, which by default is ready in a running sandbox. */
export interface DoubledConversation extends Partial<StoredConversation> {
  readonly sandbox?: {
    readonly status?: string;
    readonly stopping?: 'pause' | 'delete';
    readonly baseUrl?: string;
    /** Somebody works on it: nobody else moves it on. */
    readonly isClaimed?: boolean;
  };
  readonly owner?: TestCaller;
}

/** What an agent server is asked to start. */
export interface AskedStart extends Readonly<Record<string, unknown>> {
  readonly conversation_id: string;
  readonly secrets: Readonly<Record<string, { readonly value: string }>>;
  readonly agent: {
    readonly llm: Readonly<Record<string, unknown>>;
    readonly condenser?: { readonly llm: Readonly<Record<string, unknown>> };
    readonly mcp_config?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

/** A service whose sandboxes all use one agent server double, which fails on demand. */
export class DoubledService {
  private constructor(
    readonly double: AgentServerDouble,
    readonly service: ConversationService,
  ) {}

  /**
   * @param env settings that differ
   * @param folder where the agent server runs commands
   * @param options a database that the caller made and drops, and extensions
   */
  static async start(
    env: Readonly<Record<string, string>> = {},
    folder?: string,
    options: Pick<TestAppOptions, 'database' | 'extensions'> = {},
  ): Promise<DoubledService> {
    const double = await AgentServerDouble.start(folder === undefined ? {} : { folder });
    const settings = {
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: double.url,
      AGENT_SERVER_API_KEY: double.target.apiKey,
      EXTERNAL_ORG_ID: '*',
      LLM_MODEL: 'echo',
      ...env,
    };
    const service = await ConversationService.start(settings, undefined, options);
    return new DoubledService(double, service);
  }

  async close(): Promise<void> {
    // Nothing runs in the sandboxes, so there is nothing to wait for.
    await this.service.app.db.query(`UPDATE sandboxes SET status = 'MISSING', stopping = NULL`);
    await this.service.close();
    await this.double.stop();
  }

  /** Has the agent server refuse to start a conversation for now, until the double is healed. */
  holdStart(conversationId: string): void {
    this.double.fail({ kind: 'status', status: 503, stored: false }, startOf(conversationId), Infinity);
  }

  /** Starts a conversation with a key. @returns what the agent server is asked to start */
  async askedToStart(key: string, request: Record<string, unknown> = {}): Promise<AskedStart> {
    const id = await new ConversationClient(this.service.app, key).ready(request);
    const [start] = this.double.arrived(startOf(id));
    if (start === undefined) throw new Error(`The agent server was not asked to start ${id}.`);
    return JSON.parse(start.body) as AskedStart;
  }

  /** Inserts a conversation in a sandbox of its own directly into the database; the agent server has it too. */
  async conversation(fields: DoubledConversation = {}): Promise<{ id: string; sandboxId: string }> {
    const { sandbox = {}, owner = this.service.owner, ...row } = fields;
    const { db } = this.service.app;
    const sandboxId = randomUUID();
    const { status = 'RUNNING', stopping = null, baseUrl = this.double.url, isClaimed = false } = sandbox;
    await db.query(
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, stopping, base_url, port,
                              working_dir, last_activity_at, claimed_until)
       VALUES ($1, $2, $3, 'external', $4, $5, $6, $7, $8,
               CASE WHEN $4 = 'ERROR' THEN now() - interval '1 day' ELSE now() END,
               CASE WHEN $9 THEN now() + interval '1 hour' END)`,
      [
        sandboxId,
        owner.orgId,
        owner.userId,
        status,
        stopping,
        baseUrl,
        Number(new URL(baseUrl).port),
        `workspace/${sandboxId}`,
        isClaimed,
      ],
    );
    const { id } = await storeConversation(db, {
      org_id: owner.orgId,
      created_by_user_id: owner.userId,
      sandbox_id: sandboxId,
      ...row,
    });
    this.double.addConversation(id);
    return { id, sandboxId };
  }
}
