import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { doorPath } from '../../../src/sandboxes/sandboxes';
import { SandboxKeys } from '../../../src/sandboxes/sandboxes/record/sandbox-keys';
import type { TestDatabase } from '../database/postgres';
import { startTestApp, type TestApp } from '../service/app';
import { makeCaller, makeOrg, type TestCaller } from '../service/factories';
import { FarServer } from './far-server';

/** A sandbox whose agent server is the far side of a {@link DoorService}. */
export interface FarSandbox {
  readonly id: string;
  /** Its own key. */
  readonly key: string;
  /** Path of its door. */
  readonly door: string;
}

/** Overrides for a sandbox, which by default runs and is the owner's. */
export interface FarSandboxFields {
  readonly owner?: Pick<TestCaller, 'orgId' | 'userId'>;
  readonly status?: string;
  readonly stopping?: 'pause' | 'delete';
  readonly driver?: string;
  readonly baseUrl?: string;
  readonly listenerUid?: number;
}

/** A service that passes requests to a server of the test, which takes the place of every agent server. */
export class DoorService {
  private constructor(
    readonly app: TestApp,
    readonly far: FarServer,
    readonly owner: TestCaller,
  ) {}

  /**
   * @param env settings that differ
   * @param database one that the caller made and drops
   */
  static async start(
    env: Readonly<Record<string, string>> = {},
    database?: TestDatabase,
  ): Promise<DoorService> {
    const far = await FarServer.start();
    const app = await startTestApp({
      env: { APP_ROLE: 'api', SANDBOX_DRIVER: 'process', SANDBOX_ISOLATION: 'none', ...env },
      ...(database && { database }),
    });
    const org = await makeOrg(app.db);
    return new DoorService(app, far, await makeCaller(app.db, org.id, 'member'));
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.far.stop();
  }

  /** Inserts a sandbox directly into the database. */
  sandbox(fields: FarSandboxFields = {}): Promise<FarSandbox> {
    const keys = this.app.app.get(SandboxKeys);
    return insertSandbox(this.app.db, keys, { owner: this.owner, baseUrl: this.far.url, ...fields });
  }

  /** Address of a WebSocket through the door. */
  socketUrl(sandbox: FarSandbox, path: string): string {
    return this.app.url.replace('http', 'ws') + sandbox.door + path;
  }
}

/**
 * Inserts a sandbox of a user directly into the database.
 * @param keys of the service that opens it
 */
export async function insertSandbox(
  db: DataSource,
  keys: SandboxKeys,
  fields: FarSandboxFields & Required<Pick<FarSandboxFields, 'owner' | 'baseUrl'>>,
): Promise<FarSandbox> {
  const { owner, baseUrl, status = 'RUNNING', stopping = null, driver = 'process' } = fields;
  const id = randomUUID();
  const { sealedSessionKey, sessionKeyDigest } = keys.create(id);
  // Its host is there: what is of hosts that are away is given up.
  await db.query(
    `INSERT INTO sandbox_hosts (id, seen_at) VALUES ('another-host', now() + interval '1 day') ON CONFLICT DO NOTHING`,
  );
  await db.query(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, host_id, status, stopping, base_url, port,
                            working_dir, last_activity_at, sealed_session_key, session_key_digest, listener_uid)
     VALUES ($1, $2, $3, $4, 'another-host', $5, $6, $7, $8, 'workspace', now() - interval '1 day', $9, $10, $11)`,
    [
      id,
      owner.orgId,
      owner.userId,
      driver,
      status,
      stopping,
      baseUrl,
      Number(new URL(baseUrl).port),
      sealedSessionKey,
      sessionKeyDigest,
      fields.listenerUid ?? null,
    ],
  );
  return { id, key: keys.open(id, sealedSessionKey) ?? '', door: doorPath(id) };
}
