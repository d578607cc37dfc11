import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { ContainerInfo } from 'dockerode';
import { digestOf, messageOf, newId } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import type { SandboxHandle } from '../../sandboxes/driver-port';
import { agentServerFile } from '../agent-server-environment';
import { containerOf } from './containers/container';
import { type Engine, statusOf } from './engine';
import { DRIVER, isWarmName, LABELS, labelsOf, nameOf, warmName, type ContainerSpec } from './names';
import type { SandboxContainers } from './sandbox-containers';
import { keysIn } from './containers/containers';

/** Younger objects may still be in the making, also by another process. */
const YOUNG_MS = 60_000;
const READY_MS = 2_000;
const INIT_MS = 15_000;
const NOT_FOUND = 404;

/** After a failure it is not tried again at once: it may be to fetch an image. */
const REST_MS = 60_000;

/** A pre-warmed container, named by its volume. */
interface Store {
  readonly store: string;
}

/**
 * Containers whose agent servers were pre-warmed and wait for their keys (`SANDBOX_WARM`). One is claimed by making a
 * volume: of several that make one of the same name, the engine answers with the labels of the first. That volume says
 * whose it is from then on, so it is found whatever happens to who claimed it.
 */
export class WarmContainers {
  private readonly log = new Logger('Sandboxes');
  private isWorking = false;
  private isClosed = false;
  private restUntilMs = 0;

  constructor(
    private readonly settings: Settings,
    private readonly engine: Engine,
    private readonly sandboxContainers: SandboxContainers,
    private readonly youngMs = YOUNG_MS,
  ) {}

  /** Gives a new sandbox a container that is ready. @returns false where there is none */
  async claim(sandbox: SandboxHandle): Promise<boolean> {
    if (this.wanted === 0) return false;
    const { current } = await this.find(sandbox.installationId);
    for (const { store } of current) {
      if (!(await this.isReady(store)) || !(await this.take(sandbox, store))) continue;
      void this.replenish(sandbox.installationId);
      return this.hand(sandbox, store);
    }
    return false;
  }

  /** Makes as many as there should be, and removes those that are of no use any more. */
  async replenish(installationId: string): Promise<void> {
    if (this.isWorking || this.isClosed || performance.now() < this.restUntilMs) return;
    this.isWorking = true;
    try {
      const { current, useless, ended } = await this.find(installationId);
      const surplus = current.slice(this.wanted);
      for (const { store } of [...useless, ...ended, ...surplus])
        await this.sandboxContainers.remove({ name: store, store });
      if (ended.length > 0) throw new Error(`${ended.length} ended before they were wanted`);
      for (let n = current.length; n < this.wanted && !this.mustStop(); n++) await this.make(installationId);
    } catch (error) {
      this.restUntilMs = performance.now() + REST_MS;
      this.log.warn(`No container can be pre-warmed: ${messageOf(error)}`);
    } finally {
      this.isWorking = false;
    }
  }

  /** Removes what says whose a pre-warmed container is, when it is nobody's any more. */
  async forget(store: string): Promise<void> {
    await this.sandboxContainers.containers.removeVolume(claimOf(store));
  }

  /** Makes no more; those that wait stay for the next start. */
  close(): void {
    this.isClosed = true;
  }

  /** The target number: 0 for a driver without new sandboxes. */
  private get wanted(): number {
    return this.settings.SANDBOX_DRIVER === DRIVER ? this.settings.SANDBOX_WARM : 0;
  }

  private mustStop(): boolean {
    return this.isClosed;
  }

  private async make(installationId: string): Promise<void> {
    const store = warmName(newId());
    const spec: ContainerSpec = {
      name: store,
      store,
      installationId,
      labels: { [LABELS.warm]: installationId, [LABELS.settings]: await this.settingsDigest() },
      // An agent server that does not know how to wait would be open to everybody without a key.
      keys: JSON.stringify({ session_api_keys: [newKey()], secret_key: newKey() }),
      environment: { OH_DEFERRED_INIT: '1' },
    };
    await this.sandboxContainers.run(spec).catch(async (error: unknown) => {
      await this.sandboxContainers.remove(spec);
      throw error;
    });
  }

  /** Unclaimed containers: waiting ones with current settings, ended ones, and leftovers. */
  private async find(
    installationId: string,
  ): Promise<Record<'current' | 'useless' | 'ended', readonly Store[]>> {
    const digest = await this.settingsDigest();
    const { containers, others, claimed } = await this.listed(installationId);
    const waiting = containers.filter(({ store }) => isWarmName(store) && !claimed.has(store));
    const hasEnded = ({ info }: { info: ContainerInfo }): boolean => info.State === 'exited';
    const isCurrent = ({ info }: { info: ContainerInfo }): boolean =>
      info.State === 'running' && info.Labels[LABELS.settings] === digest;
    const isOld = (createdMs: number): boolean => Date.now() - createdMs > this.youngMs;
    const known = new Set([...containers.map(({ store }) => store), ...claimed]);
    return {
      current: waiting.filter(isCurrent),
      ended: waiting.filter(hasEnded),
      useless: [
        ...waiting.filter((one) => !isCurrent(one) && !hasEnded(one) && isOld(one.info.Created * 1_000)),
        ...others.filter(({ store, createdMs }) => !known.has(store) && isOld(createdMs)),
      ],
    };
  }

  private async listed(installationId: string): Promise<{
    containers: (Store & { info: ContainerInfo })[];
    /** Volumes and networks. */
    others: (Store & { createdMs: number })[];
    claimed: ReadonlySet<string>;
  }> {
    const prewarmed = { label: [`${LABELS.warm}=${installationId}`] };
    const taken = { label: [`${LABELS.installation}=${installationId}`, LABELS.store] };
    const [containers, volumes, networks, claims] = await this.engine.use((docker) =>
      Promise.all([
        docker.listContainers({ all: true, filters: prewarmed }),
        docker.listVolumes({ filters: prewarmed }),
        docker.listNetworks({ filters: prewarmed }),
        docker.listVolumes({ filters: taken }),
      ]),
    );
    return {
      containers: containers.map((info) => ({ store: info.Names[0]?.slice(1) ?? '', info })),
      others: [
        ...volumes.Volumes.map((volume) => ({ store: volume.Name, createdMs: createdMsOf(volume) })),
        ...networks.map(({ Name, Created }) => ({ store: Name, createdMs: Date.parse(Created) })),
      ].filter(({ store }) => isWarmName(store)),
      claimed: new Set(claims.Volumes.flatMap(({ Labels }) => Labels[LABELS.store] ?? [])),
    };
  }

  private async isReady(name: string): Promise<boolean> {
    try {
      const url = `${await this.sandboxContainers.addressOf(name)}/ready`;
      return (await fetch(url, { signal: AbortSignal.timeout(READY_MS) })).ok;
    } catch {
      return false;
    }
  }

  /** @returns false when another sandbox was quicker */
  private async take(sandbox: SandboxHandle, store: string): Promise<boolean> {
    const labels = { ...labelsOf(sandbox), [LABELS.store]: store };
    const claim = await this.engine.use(async (docker) => {
      await docker.createVolume({ Name: claimOf(store), Labels: labels });
      return docker.getVolume(claimOf(store)).inspect();
    });
    if (claim.Labels[LABELS.sandbox] !== sandbox.id) return false;
    try {
      await this.engine.use((docker) => docker.getContainer(store).rename({ name: nameOf(sandbox.id) }));
      return true;
    } catch (error) {
      if (statusOf(error) !== NOT_FOUND) throw error;
      await this.forget(store);
      return false;
    }
  }

  /** Gives the agent server the sandbox's keys in place of its own. @returns false when it does not take them */
  private async hand(sandbox: SandboxHandle, store: string): Promise<boolean> {
    try {
      const name = nameOf(sandbox.id);
      await this.sandboxContainers.firewall.enforce({ store, installationId: sandbox.installationId });
      const response = await fetch(`${await this.sandboxContainers.addressOf(name)}/api/init`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Init-API-Key': await keysIn(this.engine, name) },
        body: agentServerFile(sandbox.sessionKey),
        signal: AbortSignal.timeout(INIT_MS),
      });
      if (response.ok) return true;
      this.log.warn(`The container ${store} that was pre-warmed is of no use: status ${response.status}`);
    } catch (error) {
      this.log.warn(`The container ${store} that was pre-warmed is of no use: ${messageOf(error)}`);
    }
    return false;
  }

  private async settingsDigest(): Promise<string> {
    const spec = { name: '', store: '', installationId: '', labels: {}, keys: '', environment: {} };
    const container = containerOf(this.settings, spec, { uid: 0, published: null });
    return digestOf(JSON.stringify([container, await this.sandboxContainers.containers.imageId()])).slice(
      0,
      16,
    );
  }
}

/** The volume that says whose a pre-warmed container is. */
function claimOf(store: string): string {
  return `${store}-claim`;
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}

function createdMsOf(volume: object): number {
  const created = 'CreatedAt' in volume && typeof volume.CreatedAt === 'string' ? volume.CreatedAt : '';
  return Date.parse(created) || 0;
}
