import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { messageOf } from '../../../kernel/common';
import { DriverError } from '../../../sandboxes/driver-port';
import { type Engine, statusOf, unless } from '../engine';
import { bridgeOf, type ContainerSpec } from '../names';
import { type Subnet, Subnets } from './subnets';

/** Several that look for a free network at once may find the same one. */
const ATTEMPTS = 20;

/** The option of a network that names the interface on the engine's host. */
export const BRIDGE_NAME = 'com.docker.network.bridge.name';

const defaultNetworkSchema = z.object({
  IPAM: z.object({ Config: z.tuple([z.object({ Gateway: z.string() })]) }),
});

/** The networks of sandboxes: each has one of its own while it runs. */
export class Networks {
  private readonly subnets: Subnets;
  /** Which one is looked at next: those that were given back are the last, since somebody may still call an address there. */
  private next: number;

  /** @param cidr where they are taken from (`DOCKER_SUBNETS`) */
  constructor(
    private readonly engine: Engine,
    private readonly cidr: string,
  ) {
    this.subnets = new Subnets(cidr);
    this.next = randomInt(this.subnets.count);
  }

  /** Makes the network of a spec. @throws DriverError when all addresses are taken */
  async create(spec: ContainerSpec): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const free = this.subnets.free(await this.taken(), this.next);
      if (free === null)
        throw new DriverError(
          `All ${this.subnets.count} networks of DOCKER_SUBNETS (${this.cidr}) are taken; a larger range is needed, or fewer sandboxes that run.`,
        );
      this.next = free.index + 1;
      try {
        await this.createWith(spec, free);
        return;
      } catch (error) {
        if (!isTaken(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Removes a network, if there is one. */
  async remove(store: string): Promise<void> {
    await this.engine.use((docker) => unless([404], docker.getNetwork(store).remove()));
  }

  /** The address of the engine's host in the network that it makes itself; null where it has none, or is away. */
  async hostAddress(): Promise<string | null> {
    const found: unknown = await this.engine
      .use((docker) => docker.getNetwork('bridge').inspect())
      .catch(() => null);
    const parsed = defaultNetworkSchema.safeParse(found);
    return parsed.success ? parsed.data.IPAM.Config[0].Gateway : null;
  }

  private async createWith(spec: ContainerSpec, { subnet, gateway }: Subnet): Promise<void> {
    await this.engine.use((docker) =>
      docker.createNetwork({
        Name: spec.store,
        CheckDuplicate: true,
        Driver: 'bridge',
        Labels: spec.labels,
        Options: { [BRIDGE_NAME]: bridgeOf(spec.store, spec.installationId) },
        IPAM: { Driver: 'default', Config: [{ Subnet: subnet, Gateway: gateway }] },
      }),
    );
  }

  private async taken(): Promise<string[]> {
    const networks = await this.engine.use((docker) => docker.listNetworks());
    return networks.flatMap(({ IPAM }) =>
      (IPAM?.Config ?? []).flatMap(({ Subnet }) => (Subnet ? [Subnet] : [])),
    );
  }
}

function isTaken(error: unknown): boolean {
  return statusOf(error) !== null && /overlap|already (in use|allocated|used)/i.test(messageOf(error));
}
