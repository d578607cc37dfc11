import { Logger } from '@nestjs/common';
import { messageOf } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import { DriverError } from '../../sandboxes/driver-port';
import { BridgeFirewall } from './network/bridge-firewall';
import { Containers } from './containers/containers';
import { deletedFileBytes } from './containers/deleted-files';
import type { Engine, EngineInfo } from './engine';
import { OrphanedBridges } from './network/orphaned-bridges';
import { type ContainerSpec, userOf } from './names';
import { Networks } from './network/networks';
import { PublishedAddress } from './network/published-address';

/** Containers with all that they have of their own: made whole, and removed whole. */
export class SandboxContainers {
  readonly containers: Containers;
  readonly networks: Networks;
  readonly firewall: BridgeFirewall;
  private readonly log = new Logger('Sandboxes');
  private readonly published: PublishedAddress;
  private readonly leftBridges: OrphanedBridges;
  private info: EngineInfo | undefined;

  constructor(
    settings: Settings,
    private readonly engine: Engine,
  ) {
    this.containers = new Containers(settings, engine);
    this.networks = new Networks(engine, settings.DOCKER_SUBNETS);
    this.firewall = new BridgeFirewall(settings, engine);
    this.published = new PublishedAddress(settings, engine);
    this.leftBridges = new OrphanedBridges(engine);
  }

  /**
   * Makes a container on the volume of its name, in place of an earlier one, and starts it.
   * @throws DriverError
   */
  async run(spec: ContainerSpec): Promise<void> {
    const { hasFewUsers } = await this.engineInfo();
    // First, since it may take minutes, in which a network without a container would look like a leftover.
    await this.containers.ensureImage();
    await this.removeContainer(spec);
    await this.networks.remove(spec.store);
    await this.networks.create(spec);
    try {
      const published = await this.published.ofHost();
      await this.containers.create(spec, { uid: userOf(spec.store, hasFewUsers), published });
      await this.firewall.enforce(spec);
      await this.containers.start(spec.name);
    } catch (error) {
      // Frees its addresses; the container stays, since it shows how it ended.
      await this.networks.remove(spec.store).catch(() => undefined);
      throw error;
    }
  }

  /** Removes a container with its volume and network. */
  async remove(spec: Pick<ContainerSpec, 'name' | 'store'>): Promise<void> {
    await this.removeContainer(spec);
    await this.networks.remove(spec.store);
    await this.containers.removeVolume(spec.store);
  }

  /**
   * Called every few seconds: puts right what others did to what containers need on the host.
   * @param areThere whether there are containers of sandboxes
   */
  async tend(installationId: string, areThere: boolean): Promise<void> {
    if (areThere)
      await this.firewall
        .keep(installationId)
        .catch((error: unknown) =>
          this.log.warn(`Containers cannot be kept from their host: ${messageOf(error)}`),
        );
    await this.leftBridges
      .remove(installationId)
      .catch((error: unknown) => this.log.warn(`A bridge without a network stays: ${messageOf(error)}`));
  }

  /** The address of the agent server of a container. @throws DriverError when it has ended */
  async addressOf(name: string): Promise<string> {
    const started = await this.containers.inspect(name);
    const baseUrl = started === null ? null : await this.published.of(started);
    if (baseUrl === null) throw new DriverError('The container ended at once.');
    return baseUrl;
  }

  /** Also one that was pre-warmed, and claimed without getting its new name. */
  private async removeContainer({ name, store }: Pick<ContainerSpec, 'name' | 'store'>): Promise<void> {
    for (const each of new Set([name, store])) await this.containers.remove(each);
  }

  /** Bytes of volumes in deleted files that are still open; none where the engine's processes cannot be seen. */
  async deletedBytes(stores: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { hasFewUsers } = await this.engineInfo();
    // The users of such an engine are others for the host.
    if (this.engine.remoteHost !== null || process.getuid?.() !== 0 || hasFewUsers) return new Map();
    const users = new Map(stores.map((store) => [userOf(store, false), store]));
    const bytes = await deletedFileBytes(new Set(users.keys()));
    return new Map([...bytes].flatMap(([uid, size]) => [[users.get(uid) ?? '', size]]));
  }

  /** The description of the engine, read once. */
  async engineInfo(): Promise<EngineInfo> {
    this.info ??= await this.engine.info();
    return this.info;
  }
}
