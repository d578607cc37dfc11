import { Logger } from '@nestjs/common';
import { messageOf, StartError } from '../../../common';
import { callbackUrl, type Settings } from '../../../config';
import {
  type DriverCapabilities,
  DriverError,
  type LogLimit,
  type RunState,
  type SandboxDriver,
  type SandboxHandle,
  type StartedServer,
} from '../../record/sandbox-driver';
import { BridgeFirewall } from './bridge-firewall';
import { PATHS } from './container';
import { ContainerEnds } from './container-ends';
import { Containers } from './containers';
import { DiskShares } from './disk-shares';
import { endOfRun } from './end-of-run';
import { Engine, type EngineInfo, reasonOf, statusOf } from './engine';
import { EngineIdentity } from './engine-identity';
import { userOf } from './names';
import { Networks } from './networks';
import { PublishedAddress } from './published-address';

/** Names of the host itself; in a container they are the container's. */
const LOOPBACK = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/** What the engine answers while it still removes what has the same name. */
const CONFLICT = 409;

/**
 * Runs one agent server per sandbox in a container, with a volume, a user and a network of its own (docs/docker.md).
 * Containers outlive the service, and are found again by their names; each start makes a new one on the volume.
 */
export class DockerDriver implements SandboxDriver {
  readonly name = 'docker';
  readonly description = 'An agent server in a container of its own.';
  readonly operatorNote = 'one agent server per sandbox, each in a container of its own';
  readonly capabilities: DriverCapabilities = {
    hostBound: true,
    reachableByCallers: false,
    sharedServer: false,
    singleOrganization: false,
    stopsWithService: false,
    unresponsiveAfterMs: 60_000,
    builtInModel: null,
  };

  private readonly log = new Logger('Sandboxes');
  private readonly engine: Engine;
  private readonly containers: Containers;
  private readonly networks: Networks;
  private readonly firewall: BridgeFirewall;
  private readonly disk: DiskShares;
  private readonly published: PublishedAddress;
  private readonly ends: ContainerEnds;
  private exited: (sandboxId: string) => void = () => undefined;
  private info: EngineInfo | undefined;
  private installationId: string | undefined;

  constructor(private readonly settings: Settings) {
    this.engine = new Engine(settings);
    this.containers = new Containers(settings, this.engine);
    this.networks = new Networks(this.engine, settings.DOCKER_SUBNETS);
    this.firewall = new BridgeFirewall(settings, this.engine);
    this.disk = new DiskShares(this.engine, settings.SANDBOX_DISK_MEBIBYTES);
    this.published = new PublishedAddress(settings, this.engine);
    this.ends = new ContainerEnds(this.engine, (id) => this.exited(id));
  }

  /**
   * Which engine it is; a service that cannot use it, or that containers could not report to, or whose containers nothing
   * would confine, does not start.
   */
  async sharedHost(): Promise<string> {
    const id = await new EngineIdentity(this.settings, this.engine).id();
    await this.firewall.check();
    await this.checkCallback();
    return id;
  }

  /** Says once, at start, what of the settings the engine does not do. */
  async prepare(): Promise<void> {
    void this.ends.listen();
    if (!(await this.isAvailable())) return;
    const { unlimited } = await this.engineInfo();
    if (unlimited.length > 0)
      this.log.warn(`The container engine does not limit what a container has of: ${unlimited.join(', ')}.`);
    if (!(await this.containers.hasImage()))
      this.log.warn(
        `The image ${this.settings.SANDBOX_IMAGE ?? ''} (SANDBOX_IMAGE) is not on the container engine; the first sandbox waits until it is fetched.`,
      );
  }

  /** @param listener is called when a container ends */
  onExit(listener: (sandboxId: string) => void): void {
    this.exited = listener;
  }

  start(sandbox: SandboxHandle): Promise<StartedServer> {
    return this.run(sandbox);
  }

  async resume(sandbox: SandboxHandle): Promise<StartedServer> {
    if ((await this.describe(sandbox)) === 'missing')
      throw new DriverError('The volume of the sandbox is gone.');
    return this.run(sandbox);
  }

  async pause({ id }: SandboxHandle): Promise<void> {
    await this.containers.stop(id);
    await this.networks.remove(id);
  }

  async delete({ id }: SandboxHandle): Promise<void> {
    await this.containers.remove(id);
    await this.networks.remove(id);
    await this.containers.removeVolume(id);
  }

  async describe({ id }: Pick<SandboxHandle, 'id'>): Promise<RunState> {
    const found = await this.containers.inspect(id);
    if (found === null) return (await this.containers.hasVolume(id)) ? 'stopped' : 'missing';
    if (!found.State.Running) return 'stopped';
    if (!this.disk.isBeyond(id, new Date(found.State.StartedAt))) return 'running';
    await this.containers.stop(id);
    return 'stopped';
  }

  async explain({ id }: SandboxHandle): Promise<string | null> {
    try {
      const found = await this.containers.inspect(id);
      return found === null ? null : endOfRun(found, this.settings, await this.disk.explain(id));
    } catch (error) {
      return messageOf(error);
    }
  }

  logs({ id }: SandboxHandle, limit: LogLimit): Promise<readonly string[]> {
    return this.containers.logs(id, limit);
  }

  isAvailable(): Promise<boolean> {
    return this.engine.isThere();
  }

  ids(installationId: string): Promise<readonly string[]> {
    this.installationId = installationId;
    return this.containers.ids(installationId);
  }

  /** The rules stay where containers run on. */
  async close(): Promise<void> {
    this.ends.close();
    const { installationId } = this;
    if (installationId === undefined) return;
    const left = await this.containers.ids(installationId).catch(() => null);
    if (left?.length === 0) await this.firewall.remove(installationId);
  }

  /** @throws StartError when no agent server could report to the service */
  private async checkCallback(): Promise<void> {
    const url = callbackUrl(this.settings);
    if (!LOOPBACK.test(new URL(url).hostname)) return;
    const bridge = (await this.networks.hostAddress()) ?? 'an address of this host';
    throw new StartError(
      `Containers cannot reach the service at ${url}: set CALLBACK_URL to where they can, such as http://${bridge}:${this.settings.PORT}, and HOST so that the service listens there.`,
    );
  }

  private async run(sandbox: SandboxHandle): Promise<StartedServer> {
    const { id } = sandbox;
    try {
      const { hasFewUsers } = await this.engineInfo();
      await this.containers.remove(id);
      await this.networks.remove(id);
      await this.networks.create(sandbox);
      const published = await this.published.ofHost();
      await this.containers.create(sandbox, { uid: userOf(id, hasFewUsers), published });
      await this.firewall.enforce(sandbox);
      await this.containers.start(id);
      return await this.addressOf(id);
    } catch (error) {
      const status = statusOf(error);
      if (status === null || status === CONFLICT) throw error;
      throw new DriverError(`The container engine cannot run the sandbox: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  }

  private async addressOf(id: string): Promise<StartedServer> {
    const started = await this.containers.inspect(id);
    const baseUrl = started === null ? null : await this.published.of(id, started);
    if (baseUrl === null) {
      const reason = await this.explain({ id, sessionKey: '', port: null, installationId: '' });
      throw new DriverError(`The container ended at once.${reason === null ? '' : ` ${reason}`}`);
    }
    return { baseUrl, port: Number(new URL(baseUrl).port), workingDir: PATHS.workingDir };
  }

  private async engineInfo(): Promise<EngineInfo> {
    this.info ??= await this.engine.info();
    return this.info;
  }
}
