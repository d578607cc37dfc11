import { Logger } from '@nestjs/common';
import { messageOf, StartError } from '../../kernel/common';
import { callbackUrl, type Settings } from '../../kernel/config';
import {
  type DriverCapabilities,
  DriverError,
  type DriverProblem,
  type LogLimit,
  type RunState,
  type SandboxDriver,
  type SandboxHandle,
  type StartedServer,
} from '../../sandboxes/driver-port';
import { agentServerFile } from '../agent-server-environment';
import { PATHS, volumeOf } from './containers/container';
import { ContainerEnds } from './containers/container-ends';
import { DiskShares } from './containers/disk-shares';
import { VolumeSizes } from './containers/volume-sizes';
import { endOfRun } from './containers/end-of-run';
import { Engine, reasonOf, statusOf } from './engine';
import { EngineIdentity } from './engine-identity';
import { DRIVER, labelsOf, nameOf, type ContainerSpec } from './names';
import { SandboxContainers } from './sandbox-containers';
import { WarmContainers } from './warm-containers';

/** Names of the host itself; in a container they are the container's. */
const LOOPBACK = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

const FETCHING = 'Its image is still being fetched: resume it in some minutes.';

/** The answer of the engine while it still removes a container of the same name. */
const CONFLICT = 409;

/**
 * Runs one agent server per sandbox in a container, with a volume, a user and a network of its own (docs/docker.md).
 * Containers outlive the service, and are found again by their names; each start makes a new one on the volume.
 */
export class DockerDriver implements SandboxDriver {
  readonly name = DRIVER;
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
  private readonly sandboxContainers: SandboxContainers;
  private readonly warm: WarmContainers;
  private readonly disk: DiskShares;
  private readonly ends: ContainerEnds;
  private exited: (sandboxId: string) => void = () => undefined;
  private installationId: string | undefined;

  constructor(private readonly settings: Settings) {
    this.engine = new Engine(settings);
    this.sandboxContainers = new SandboxContainers(settings, this.engine);
    this.warm = new WarmContainers(settings, this.engine, this.sandboxContainers);
    this.disk = new DiskShares(
      new VolumeSizes(this.engine, settings),
      settings.SANDBOX_DISK_MEBIBYTES,
      (stores) => this.sandboxContainers.deletedBytes(stores),
    );
    this.ends = new ContainerEnds(this.engine, (id) => this.exited(id));
  }

  /**
   * Which engine it is; a service that cannot use it, or that containers could not report to, or whose containers nothing
   * would confine, does not start.
   */
  async sharedHost(): Promise<string> {
    const id = await new EngineIdentity(this.settings, this.engine).id();
    await this.check();
    return id;
  }

  private async check(): Promise<void> {
    await this.sandboxContainers.firewall.check();
    await this.checkCallback();
  }

  /** Says once, at start, what of the settings the engine does not do. */
  async prepare(): Promise<void> {
    void this.ends.listen();
    if (!(await this.isAvailable())) return;
    for (const { says, change } of await this.shortcomings()) this.log.warn(`${says} ${change}`);
  }

  async problems(): Promise<readonly DriverProblem[]> {
    await this.engine.info();
    await this.check();
    return this.shortcomings();
  }

  private async shortcomings(): Promise<readonly DriverProblem[]> {
    const { unlimited } = await this.sandboxContainers.engineInfo();
    const image = this.settings.SANDBOX_IMAGE ?? '';
    return [
      ...unlimited.map((what) => ({
        isFatal: false,
        says: `The container engine does not limit what a container has of: ${what}.`,
        change: 'Give its host the controllers of cgroups for that (docs/docker.md).',
      })),
      ...((await this.sandboxContainers.containers.imageId()) === null
        ? [
            {
              isFatal: false,
              says: `The image ${image} is not on the container engine; the first sandbox waits until it is fetched.`,
              change: `Fetch it with docker pull ${image}, or correct SANDBOX_IMAGE.`,
            },
          ]
        : []),
    ];
  }

  /** @param listener is called when a container ends */
  onExit(listener: (sandboxId: string) => void): void {
    this.exited = listener;
  }

  async start(sandbox: SandboxHandle): Promise<StartedServer> {
    const isNew = (await this.sandboxContainers.containers.storeOf(sandbox.id)) === null;
    if (isNew && (await this.warm.claim(sandbox))) return this.started(sandbox.id);
    return this.run(sandbox);
  }

  async resume(sandbox: SandboxHandle): Promise<StartedServer> {
    if ((await this.describe(sandbox)) === 'missing')
      throw new DriverError('The volume of the sandbox is gone.');
    return this.run(sandbox);
  }

  async pause({ id }: SandboxHandle): Promise<void> {
    await this.sandboxContainers.containers.stop(nameOf(id));
    await this.sandboxContainers.networks.remove(await this.storeOf(id));
  }

  async delete({ id, installationId }: SandboxHandle): Promise<void> {
    this.installationId = installationId;
    const store = await this.storeOf(id);
    await this.sandboxContainers.remove({ name: nameOf(id), store });
    await this.warm.forget(store);
  }

  async describe({ id }: Pick<SandboxHandle, 'id'>): Promise<RunState> {
    const { containers } = this.sandboxContainers;
    const found = await containers.inspect(nameOf(id));
    if (found === null) return (await containers.storeOf(id)) === null ? 'missing' : 'stopped';
    if (!found.State.Running) return 'stopped';
    if (!this.disk.isBeyond(volumeOf(found) ?? nameOf(id), new Date(found.State.StartedAt))) return 'running';
    await containers.stop(nameOf(id));
    return 'stopped';
  }

  /** Removes the network of an ended container, too, so that it does not keep addresses. */
  async explain({ id }: Pick<SandboxHandle, 'id'>): Promise<string | null> {
    try {
      const found = await this.sandboxContainers.containers.inspect(nameOf(id));
      if (found === null) return this.sandboxContainers.containers.isFetching ? FETCHING : null;
      const store = volumeOf(found) ?? nameOf(id);
      if (!found.State.Running) await this.sandboxContainers.networks.remove(store).catch(() => undefined);
      return endOfRun(found, this.settings, await this.disk.explain(store));
    } catch (error) {
      return messageOf(error);
    }
  }

  logs({ id }: SandboxHandle, limit: LogLimit): Promise<readonly string[]> {
    return this.sandboxContainers.containers.logs(nameOf(id), limit);
  }

  isAvailable(): Promise<boolean> {
    return this.engine.isThere();
  }

  /** Called every ten seconds by one worker of the engine: the time to pre-warm containers, and to put things right. */
  async ids(installationId: string): Promise<readonly string[]> {
    this.installationId = installationId;
    void this.warm.replenish(installationId);
    const found = await this.sandboxContainers.containers.ids(installationId);
    await this.sandboxContainers.tend(installationId, found.length > 0);
    return found;
  }

  /** The rules stay where containers run on. */
  async close(): Promise<void> {
    this.ends.close();
    this.warm.close();
    const { installationId } = this;
    if (installationId === undefined) return;
    const hasNone = async (): Promise<boolean> =>
      (await this.sandboxContainers.containers.ids(installationId).catch(() => null))?.length === 0;
    if (!(await hasNone())) return;
    await this.sandboxContainers.firewall.remove(installationId);
    // Another process may have started one meanwhile.
    if (!(await hasNone())) await this.sandboxContainers.tend(installationId, true);
  }

  /** @throws StartError when no agent server could report to the service */
  private async checkCallback(): Promise<void> {
    const url = callbackUrl(this.settings);
    if (!LOOPBACK.test(new URL(url).hostname)) return;
    const bridge = (await this.sandboxContainers.networks.hostAddress()) ?? 'an address of this host';
    throw new StartError(
      `Containers cannot reach the service at ${url}: set CALLBACK_URL to where they can, such as http://${bridge}:${this.settings.PORT}, and HOST so that the service listens there.`,
    );
  }

  private async run(sandbox: SandboxHandle): Promise<StartedServer> {
    const { id, installationId } = sandbox;
    this.installationId = installationId;
    const store = await this.storeOf(id);
    this.disk.assertStartable(store);
    const spec: ContainerSpec = {
      name: nameOf(id),
      store,
      installationId,
      labels: labelsOf(sandbox),
      keys: agentServerFile(sandbox.sessionKey),
      environment: {},
    };
    try {
      await this.sandboxContainers.run(spec);
      return await this.started(id);
    } catch (error) {
      const status = statusOf(error);
      if (status === null || status === CONFLICT) throw error;
      throw new DriverError(`The container engine cannot run the sandbox: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  }

  private async started(id: string): Promise<StartedServer> {
    const baseUrl = await this.sandboxContainers.addressOf(nameOf(id)).catch(async (error: unknown) => {
      if (!(error instanceof DriverError)) throw error;
      throw new DriverError([error.message, await this.explain({ id })].filter(Boolean).join(' '));
    });
    return { baseUrl, port: Number(new URL(baseUrl).port), workingDir: PATHS.workingDir };
  }

  private async storeOf(id: string): Promise<string> {
    return (await this.sandboxContainers.containers.storeOf(id)) ?? nameOf(id);
  }
}
