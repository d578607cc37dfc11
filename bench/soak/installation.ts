import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/kernel/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/appliance/embedded-postgres';
import { newKey } from '../../src/accounts/api-keys/keys/key-format';
import { freePort } from '../../test/support/service/free-port';
import { Replica } from '../streams/replica';
import { AgentServerProcess } from './agent-server-process';

/** A built service over a PostgreSQL of its own and an agent server, each in processes of their own. */
export class Installation {
  private constructor(
    private readonly folder: string,
    readonly postgres: EmbeddedPostgres,
    readonly agentServer: AgentServerProcess,
    readonly service: Replica,
    readonly db: DataSource,
    /** Of the first user. */
    readonly key: string,
  ) {}

  /**
   * @param settings of PostgreSQL, in addition
   * @param env of the service, in addition
   */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'bench-installation-'));
    const log = { info: () => undefined, warn: () => undefined };
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log, settings });
    const port = await freePort();
    const agentServer = await AgentServerProcess.start({
      folder: join(folder, 'agent-server'),
      apiKey: 'key-of-the-agent-server',
      webhookUrl: `http://127.0.0.1:${port}/api/v1/webhooks`,
    });
    const key = newKey();
    const service = await Replica.start(postgres.url, join(folder, 'service'), {
      PORT: String(port),
      BOOTSTRAP_KEY: key,
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: agentServer.url,
      AGENT_SERVER_API_KEY: agentServer.apiKey,
      LLM_MODEL: 'echo',
      MAX_SANDBOXES: '100000',
      MAX_SANDBOXES_PER_ORG: '100000',
      ...env,
    });
    const db = await createDataSource(postgres.url, 2).initialize();
    return new Installation(folder, postgres, agentServer, service, db, key);
  }

  /** The folder of the PostgreSQL, with its data and its passwords. */
  get postgresFolder(): string {
    return join(this.folder, 'postgres');
  }

  /** The folder of the database, by which its processes are known. */
  get databaseFolder(): string {
    return join(this.postgresFolder, 'data');
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.agentServer.stop();
    await this.db.destroy();
    await this.postgres.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
