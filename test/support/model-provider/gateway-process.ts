import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { ModelKeys } from '../../../src/agents/gateway-access';
import { SecretBox } from '../../../src/kernel/common';
import { ServiceProcess } from '../service/service-process';
import type { StubProvider } from './stub-provider';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';

/** A service with its gateway in front of a provider, in a process of its own, to be killed or to be measured. */
export class GatewayProcess {
  private constructor(
    readonly service: ServiceProcess,
    readonly url: string,
    private readonly folder: string,
  ) {}

  /**
   * Starts one, and waits until it is ready.
   * @param databaseUrl of a database that the service migrates, or has migrated
   * @param env settings that differ
   */
  static async start(
    databaseUrl: string,
    provider: StubProvider,
    env: Readonly<Record<string, string>> = {},
  ): Promise<GatewayProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
    const service = ServiceProcess.start({
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      SECRET_KEY,
      APP_ROLE: 'api',
      SANDBOX_DRIVER: 'process',
      SANDBOX_ISOLATION: 'none',
      MODEL_GATEWAY: 'on',
      MODEL_PRICES: '{"*":{"input":1,"output":10}}',
      ...{
        LLM_MODEL: 'openai/test-model',
        LLM_BASE_URL: provider.baseUrl,
        LLM_API_KEY: 'sk-of-the-installation',
      },
      ...env,
    });
    return new GatewayProcess(service, await service.ready, folder);
  }

  /** The key of a conversation. */
  keyOf(conversationId: string): string {
    return new ModelKeys(new SecretBox([SECRET_KEY])).issue(conversationId);
  }

  /** Has a conversation chat with the model of the installation. @returns the status, once the answer has come as a whole */
  async chat(conversationId: string): Promise<number> {
    const messages = [{ role: 'user', content: 'Hello?' }];
    const response = await fetch(`${this.url}/llm/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.keyOf(conversationId)}` },
      body: JSON.stringify({ model: 'openai/test-model', max_tokens: 100, messages }),
    });
    await response.text();
    return response.status;
  }

  /** Kills it at once. */
  async close(): Promise<void> {
    await this.service.discard();
    await rm(this.folder, { recursive: true, force: true });
  }
}
