import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { AgentServer } from '../../agent-server';
import { publicUrl, sandboxUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { AgentServers } from './agent-servers';
import { SandboxDrivers } from '../record/sandbox-drivers';
import type { SandboxAddress, SandboxRow, SandboxView, SharedServer } from '../record/sandbox-view';
import { SandboxKeys } from '../record/sandbox-keys';
import { Sandbox } from '../record/sandbox.entity';
import { SANDBOXES_BY_ID } from './sandbox-views.read-model';

/** Sandboxes as other modules see them. */
@Injectable()
export class SandboxReader {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly drivers: SandboxDrivers,
    private readonly agentServers: AgentServers,
    private readonly keys: SandboxKeys,
  ) {}

  /** @returns null for an unknown id */
  async byId(id: string, transaction?: EntityManager): Promise<SandboxView | null> {
    return (await this.byIds([id], transaction)).get(id) ?? null;
  }

  /** The sandboxes of the ids that are known, by id, in one query. */
  async byIds(
    ids: readonly string[],
    transaction: EntityManager = this.sandboxes.manager,
  ): Promise<ReadonlyMap<string, SandboxView>> {
    const views = new Map<string, SandboxView>();
    if (ids.length === 0) return views;
    for (const row of await SANDBOXES_BY_ID.rows(transaction, [ids])) {
      const view = this.viewOf(row);
      if (view !== null) views.set(view.id, view);
    }
    return views;
  }

  /** The sandbox of a row that a query of another module read, or null where that has none. */
  viewOf(row: SandboxRow): SandboxView | null {
    const { sandbox_id: id, sandbox_driver: driver, sandbox_base_url: baseUrl } = row;
    if (id === null) return null;
    const isRunning = row.sandbox_status === 'RUNNING';
    const sessionApiKey = isRunning ? this.keys.open(id, row.sandbox_sealed_session_key) : null;
    return {
      id,
      orgId: row.sandbox_org_id,
      createdByUserId: row.sandbox_created_by_user_id,
      byLink: row.sandbox_by_link,
      builtInModel: this.drivers.find(driver)?.capabilities.builtInModel ?? null,
      status: row.sandbox_status,
      stopping: row.sandbox_stopping !== null,
      statusDetail: row.sandbox_status_detail,
      agentServer: isRunning
        ? this.agentServers.addressWith(
            { driver, baseUrl, listenerUid: row.sandbox_listener_uid },
            sessionApiKey,
          )
        : null,
      ...this.addressesOf(isRunning ? { id, driver, baseUrl, port: row.sandbox_port } : null),
      sessionApiKey,
      workingDir: row.sandbox_working_dir ?? 'workspace',
      sharesServer: this.drivers.sharesServer(driver),
      runsCommands: this.drivers.find(driver)?.capabilities.withoutCommands !== true,
    };
  }

  /**
   * What addresses of conversations in a running sandbox begin with, without a slash at the end: for those who
   * read sandboxes in a query of their own.
   */
  conversationBaseOf(sandbox: SandboxAddress): string | null {
    return this.settings.SANDBOX_ACCESS === 'mixed' ? this.doorOf(sandbox) : this.publicUrlOf(sandbox);
  }

  private publicUrlOf(sandbox: SandboxAddress): string | null {
    const capabilities = this.drivers.find(sandbox.driver)?.capabilities;
    if (this.settings.SANDBOX_ACCESS === 'door' || capabilities?.reachableByCallers === false)
      return this.doorOf(sandbox);
    if (capabilities?.hostBound !== true) return sandbox.baseUrl;
    if (sandbox.port === null) return null;
    const url = sandboxUrl(this.settings, sandbox.port);
    // Browsers would send it the cookie of the web interface: cookies ignore ports.
    return hostOf(url) === hostOf(publicUrl(this.settings)) ? this.doorOf(sandbox) : url;
  }

  private doorOf({ id, baseUrl }: SandboxAddress): string | null {
    return baseUrl === null ? null : publicUrl(this.settings) + doorPath(id);
  }

  private addressesOf(running: SandboxAddress | null): Pick<SandboxView, 'publicUrl' | 'conversationBase'> {
    if (running === null) return { publicUrl: null, conversationBase: null };
    return { publicUrl: this.publicUrlOf(running), conversationBase: this.conversationBaseOf(running) };
  }

  /** The agent server that a sandbox shares with others, whatever its status; null where it has, or had, none. */
  async sharedServerOf(
    transaction: EntityManager,
    id: string,
  ): Promise<(SharedServer & { readonly isSandboxDeleted: boolean }) | null> {
    const sandbox = await transaction.findOne(Sandbox, {
      select: { id: true, driver: true, baseUrl: true, stopping: true },
      where: { id },
    });
    if (sandbox === null || sandbox.baseUrl === null || !this.drivers.sharesServer(sandbox.driver))
      return null;
    const { driver, baseUrl, stopping } = sandbox;
    return { driver, baseUrl, isSandboxDeleted: stopping === 'delete' };
  }

  /** Where such a server is, with its key; null when its driver is not there any more. */
  addressOfShared({ driver, baseUrl }: SharedServer): AgentServer | null {
    if (!this.drivers.sharesServer(driver)) return null;
    // Runs on another host, so no local uid applies.
    return this.agentServers.addressWith({ driver, baseUrl, listenerUid: null }, null);
  }

  /** The part of a view that comes from a sandbox row that was already read. */
  ofEntity(sandbox: Sandbox): Pick<SandboxView, 'publicUrl' | 'sessionApiKey'> {
    if (sandbox.status !== 'RUNNING') return { publicUrl: null, sessionApiKey: null };
    return {
      publicUrl: this.publicUrlOf(sandbox),
      sessionApiKey: this.keys.open(sandbox.id, sandbox.sealedSessionKey),
    };
  }
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/**
 * The path of the service below which it passes requests to the agent server of a sandbox (docs/sandboxes.md#the-door);
 * what the agent server answers at `/health` is at this path and `/health`.
 */
export function doorPath(sandboxId: string): string {
  return `/api/v1/sandboxes/${sandboxId}/agent-server`;
}
