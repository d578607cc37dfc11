import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../config';
import { AgentServers } from './agent-servers';
import { type SandboxAddress, SandboxReader, type SandboxView } from './ports';
import { SandboxKeys } from './sandbox-keys';
import type { Sandbox } from './sandbox.entity';

/** What a view is made of, as the database has it: this is read with every message that is sent. */
interface Row {
  readonly id: string;
  readonly org_id: string;
  readonly created_by_user_id: string;
  readonly driver: string;
  readonly status: Sandbox['status'];
  readonly stopping: Sandbox['stopping'];
  readonly status_detail: string | null;
  readonly port: number | null;
  readonly base_url: string | null;
  readonly working_dir: string | null;
  readonly sealed_session_key: string | null;
}

/** Sandboxes as other modules see them. */
@Injectable()
export class SandboxViews extends SandboxReader {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly database: DataSource,
    private readonly agentServers: AgentServers,
    private readonly keys: SandboxKeys,
  ) {
    super();
  }

  async byId(id: string): Promise<SandboxView | null> {
    const [row] = await this.read([id]);
    return row === undefined ? null : this.view(row);
  }

  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, SandboxView>> {
    if (ids.length === 0) return new Map();
    return new Map((await this.read(ids)).map((row) => [row.id, this.view(row)]));
  }

  publicUrlOf({ driver, baseUrl, port }: SandboxAddress): string | null {
    if (driver === 'external') return baseUrl;
    if (port === null) return null;
    return this.settings.SANDBOX_PUBLIC_URL.replaceAll('{port}', String(port)).replace(/\/+$/, '');
  }

  /** What of a view belongs into the record of a sandbox that was read already. */
  ofEntity(sandbox: Sandbox): Pick<SandboxView, 'publicUrl' | 'sessionApiKey'> {
    if (sandbox.status !== 'RUNNING') return { publicUrl: null, sessionApiKey: null };
    return {
      publicUrl: this.publicUrlOf(sandbox),
      sessionApiKey: this.keys.open(sandbox.id, sandbox.sealedSessionKey),
    };
  }

  private read(ids: readonly string[]): Promise<Row[]> {
    return this.database.query<Row[]>(
      `SELECT id, org_id, created_by_user_id, driver, status, stopping, status_detail, port, base_url,
              working_dir, sealed_session_key
       FROM sandboxes WHERE id = ANY ($1)`,
      [ids],
    );
  }

  private view(row: Row): SandboxView {
    const { id, driver, port, base_url: baseUrl, sealed_session_key: sealedSessionKey } = row;
    const isRunning = row.status === 'RUNNING';
    return {
      id,
      orgId: row.org_id,
      createdByUserId: row.created_by_user_id,
      driver,
      status: row.status,
      stopping: row.stopping !== null,
      statusDetail: row.status_detail,
      agentServer: isRunning ? this.agentServers.addressOf({ id, driver, baseUrl, sealedSessionKey }) : null,
      publicUrl: isRunning ? this.publicUrlOf({ driver, baseUrl, port }) : null,
      sessionApiKey: isRunning ? this.keys.open(id, sealedSessionKey) : null,
      workingDir: row.working_dir ?? 'workspace',
    };
  }
}
