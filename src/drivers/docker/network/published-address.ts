import { lookup } from 'node:dns/promises';
import type { ContainerInspectInfo } from 'dockerode';
import { reachable, type Settings } from '../../../kernel/config';
import type { Engine } from '../engine';
import { PORT } from '../names';

/** How the service reaches containers: at addresses of their own, or at ports of the engine's host. */
export class PublishedAddress {
  constructor(
    private readonly settings: Pick<Settings, 'DOCKER_PUBLISH_ADDRESS'>,
    private readonly engine: Engine,
  ) {}

  /** The address of the engine's host at which ports are published; null for none. */
  async ofHost(): Promise<string | null> {
    const { DOCKER_PUBLISH_ADDRESS } = this.settings;
    if (DOCKER_PUBLISH_ADDRESS !== undefined) return DOCKER_PUBLISH_ADDRESS;
    const { remoteHost } = this.engine;
    return remoteHost === null ? null : (await lookup(remoteHost)).address;
  }

  /** Where the agent server of a container that just started is; it may be elsewhere after each start. */
  async of({ NetworkSettings }: ContainerInspectInfo): Promise<string | null> {
    const host = await this.ofHost();
    if (host !== null) {
      const port = NetworkSettings.Ports[`${PORT}/tcp`]?.[0]?.HostPort;
      return port === undefined ? null : `http://${reachable(host)}:${port}`;
    }
    const [network] = Object.values(NetworkSettings.Networks);
    const address = network?.IPAddress ?? '';
    return address === '' ? null : `http://${address}:${PORT}`;
  }
}
