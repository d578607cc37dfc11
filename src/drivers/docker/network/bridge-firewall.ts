import { existsSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { digestOf, messageOf, StartError } from '../../../kernel/common';
import type { Settings } from '../../../kernel/config';
import { DriverError } from '../../../sandboxes/driver-port';
import { nft } from '../../firewall/nft';
import { openTcpPorts } from '../../firewall/open-ports';
import { bridgeScript } from './bridge-rules';
import type { Engine } from '../engine';
import { nameServersOfContainers } from './name-servers';
import { bridgeOf, bridgePrefix, type ContainerSpec } from '../names';

/**
 * Keeps containers from the engine's host, from each other and from private networks (docs/docker.md#network). It is one
 * table of nftables for each installation, made anew before each start, and when somebody removed it.
 */
export class BridgeFirewall {
  private readonly log = new Logger('Sandboxes');
  private hasMade = false;

  constructor(
    private readonly settings: Settings,
    private readonly engine: Engine,
  ) {}

  /**
   * Whether this process can make rules for the engine's host; what `SANDBOX_ISOLATION=none` lets go is only logged.
   * @throws StartError when it cannot, and nobody said that this is fine
   */
  async check(): Promise<void> {
    const problem = await this.problem();
    if (problem === null) return;
    if (this.settings.SANDBOX_ISOLATION !== 'none')
      throw new StartError(
        `SANDBOX_DRIVER=docker cannot keep containers from services of the engine's host and from private networks: ${problem}. Start the service as root on that host, with nftables installed, or set SANDBOX_ISOLATION=none once a firewall of your own keeps them from it.`,
      );
    this.log.warn(
      `Containers may reach services of the engine's host, private networks${this.settings.SANDBOX_INTERNET === 'off' ? ', the internet' : ''} and the metadata of a cloud, unless a firewall of yours keeps them from it: ${problem}.`,
    );
  }

  /**
   * Called before a container starts, and after its network was made.
   * @throws DriverError when it would not be kept from anything
   */
  async enforce({ store, installationId }: Pick<ContainerSpec, 'store' | 'installationId'>): Promise<void> {
    if (await this.isLetGo()) return;
    if (!existsSync(`/sys/class/net/${bridgeOf(store, installationId)}`))
      throw new DriverError(
        'The network of the container is not on the host of the service, so nothing keeps it from its neighbours there.',
      );
    try {
      await this.make(installationId);
    } catch (cause) {
      throw new DriverError(`The container cannot be kept from its host: ${messageOf(cause)}.`, { cause });
    }
  }

  /** Called every few seconds while there are containers: makes rules that are not there any more, or of earlier settings. */
  async keep(installationId: string): Promise<void> {
    if (await this.isLetGo()) return;
    const isThere = (): Promise<boolean> =>
      nft(`list chain inet ${tableOf(installationId)} forward\n`).then(
        () => true,
        () => false,
      );
    if (this.hasMade && (await isThere())) return;
    if (this.hasMade) this.log.warn('The rules that confine containers were gone, and are made again.');
    await this.make(installationId);
  }

  /** Removes the table, if there is one. */
  async remove(installationId: string): Promise<void> {
    if ((await this.problem()) !== null) return;
    const table = tableOf(installationId);
    await nft(`add table inet ${table}\ndelete table inet ${table}\n`).catch((error: unknown) =>
      this.log.warn(`The table ${table} of nftables stays: ${messageOf(error)}`),
    );
  }

  private async make(installationId: string): Promise<void> {
    await nft(bridgeScript(await this.rules(installationId)));
    this.hasMade = true;
  }

  /** Whether nothing confines containers, and somebody said that this is fine. */
  private async isLetGo(): Promise<boolean> {
    return this.settings.SANDBOX_ISOLATION === 'none' && (await this.problem()) !== null;
  }

  private async rules(installationId: string): Promise<Parameters<typeof bridgeScript>[0]> {
    const nameServers = await nameServersOfContainers();
    return {
      table: tableOf(installationId),
      prefix: bridgePrefix(installationId),
      tcp: [...(await openTcpPorts(this.settings)), ...nameServers],
      udp: nameServers,
      internet: this.settings.SANDBOX_INTERNET === 'on',
    };
  }

  private async problem(): Promise<string | null> {
    if (this.engine.remoteHost !== null) return `the engine at ${this.engine.address} may be on another host`;
    if (process.getuid?.() !== 0) return 'the service is not started as root';
    return nft('list tables\n').then(
      () => null,
      (error: unknown) => `nftables cannot be used (${messageOf(error)})`,
    );
  }
}

function tableOf(installationId: string): string {
  return `containers_${digestOf(installationId).slice(0, 16)}`;
}
