import { randomUUID } from 'node:crypto';
import { isRecord } from '../../../src/kernel/common';
import { ModelKeys } from '../../../src/agents/gateway-access';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually';
import { startTestApp, type TestApp } from '../service/app';
import { makeCaller, makeOrg, type TestCaller } from '../service/factories';
import { call } from '../service/http';
import { StubProvider } from './stub-provider';

/** An answer of the gateway. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; null where it is none. */
  readonly body: Record<string, unknown> | null;
}

/** A row of the ledger, as far as tests read it. */
export interface LedgerRow {
  readonly model: string;
  readonly status: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cache_read_tokens: number;
  readonly cost: number;
  readonly http_status: number | null;
  readonly usage_reported: boolean;
}

const SETTINGS = {
  // Nobody looks after sandboxes whose agent servers are not there.
  APP_ROLE: 'api',
  SANDBOX_DRIVER: 'process',
  SANDBOX_ISOLATION: 'none',
  MODEL_GATEWAY: 'on',
  MODEL_PRICES: JSON.stringify({ '*': { input: 1, output: 10, cache_read: 0.1 } }),
  LLM_MODEL: 'openai/test-model',
  LLM_API_KEY: 'sk-of-the-installation',
};

/** A service with its gateway in front of a provider, and a conversation whose agent calls. */
export class GatewayFixture {
  private constructor(
    readonly app: TestApp,
    readonly provider: StubProvider,
    readonly owner: TestCaller,
    readonly conversationId: string,
  ) {}

  /** @param env settings that differ */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<GatewayFixture> {
    const provider = await StubProvider.start();
    const app = await startTestApp({ env: { ...SETTINGS, LLM_BASE_URL: provider.baseUrl, ...env } });
    const org = await makeOrg(app.db);
    const owner = await makeCaller(app.db, org.id, 'owner');
    return new GatewayFixture(app, provider, owner, await makeRunning(app, owner));
  }

  /** The address of the gateway. */
  get url(): string {
    return `${this.app.url}/llm/v1`;
  }

  /** The key of a conversation, that of the fixture by default. */
  keyOf(conversationId = this.conversationId): string {
    return this.app.app.get(ModelKeys, { strict: false }).issue(conversationId);
  }

  /** Another conversation with a sandbox of its own. */
  conversationOf(owner: TestCaller): Promise<string> {
    return makeRunning(this.app, owner);
  }

  /** Calls the gateway. @param body sent as it is where it is a text */
  async call(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<GatewayAnswer> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.keyOf()}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: jsonOf(text) };
  }

  /** A chat with the model of the installation. */
  chat(
    more: Record<string, unknown> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<GatewayAnswer> {
    const messages = [{ role: 'user', content: 'Hello?' }];
    return this.call('/chat/completions', { model: 'openai/test-model', messages, ...more }, headers);
  }

  /** Begins a chat whose answer the caller reads. */
  open(more: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Response> {
    const messages = [{ role: 'user', content: 'Hello?' }];
    return fetch(`${this.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.keyOf()}` },
      body: JSON.stringify({ model: 'openai/test-model', messages, ...more }),
      signal,
    });
  }

  /** Saves a model profile of the owner, or of their organization. */
  async saveProfile(
    llm: Readonly<Record<string, string>>,
    of: 'owner' | 'organization' = 'owner',
  ): Promise<void> {
    const name = `p-${randomUUID()}`;
    const { key, orgId } = this.owner;
    const path =
      of === 'owner' ? `/api/v1/settings/profiles/${name}` : `/api/organizations/${orgId}/profiles/${name}`;
    const { status, body } = await call(this.app, 'POST', path, { key, body: { llm } });
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  }

  /** Waits until what is kept in memory of settings is forgotten. */
  seen(): Promise<void> {
    return sleep(1_050);
  }

  /** Forgets what the provider was asked, and what the ledger has. */
  async reset(): Promise<void> {
    this.provider.reset();
    await this.ledgerWithout('reserved');
    await this.app.db.query('DELETE FROM model_calls');
  }

  /** The rows of the ledger, oldest first, once there are so many and all are settled. */
  ledger(count: number): Promise<LedgerRow[]> {
    return eventually(async () => {
      const rows = await this.ledgerWithout('reserved');
      if (rows.length !== count) throw new Error(`There are ${rows.length} rows in the ledger.`);
      return rows;
    });
  }

  private ledgerWithout(status: string): Promise<LedgerRow[]> {
    return eventually(async () => {
      const rows = await this.app.db.query<LedgerRow[]>(
        `SELECT model, status, prompt_tokens::integer, completion_tokens::integer, cache_read_tokens::integer,
                cost::double precision, http_status, usage_reported
           FROM model_calls ORDER BY at, id`,
      );
      if (rows.some((row) => row.status === status)) throw new Error(`A row is ${status}.`);
      return rows;
    });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.provider.stop();
  }
}

async function makeRunning({ db }: TestApp, { orgId, userId }: TestCaller): Promise<string> {
  const [sandboxId, id] = [randomUUID(), randomUUID()];
  await db.query(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, base_url, last_activity_at)
     VALUES ($1, $2, $3, 'process', 'RUNNING', 'http://127.0.0.1:9', now())`,
    [sandboxId, orgId, userId],
  );
  await db.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
     VALUES ($1, $2, $3, $4, 'ready')`,
    [id, orgId, userId, sandboxId],
  );
  return id;
}

/** The code of the error that an answer is. */
export function codeOf({ body }: GatewayAnswer): unknown {
  const error = body?.['error'];
  return isRecord(error) ? error['code'] : undefined;
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
