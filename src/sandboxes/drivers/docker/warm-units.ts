import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { ContainerInfo } from 'dockerode';
import { digestOf, messageOf, newId } from '../../../common';
import type { Settings } from '../../../config';
import type { SandboxHandle } from '../../record/sandbox-driver';
import { agentServerFile } from '../agent-server-environment';
import { containerOf } from './container';
import { type Engine, statusOf } from './engine';
import { LABELS, labelsOf, nameOf, type Unit } from './names';
import type { Units } from './units';
import { keysIn } from './volume-files';

const PREFIX = 'warm-';
/** What is younger may still be being made, by another process too. */
const YOUNG_MS = 60_000;
const READY_MS = 500;
const INIT_MS = 15_000;
const NOT_FOUND = 404;

/**
 * Containers whose agent servers were started ahead and wait for their keys (`SANDBOX_WARM`). One is claimed by its name,
 * which only one can change; the volume that names it is made before, so that it is found whatever happens then.
 */
export class WarmUnits {
  private readonly log = new Logger('Sandboxes');
  private isWorking = false;
  private isClosed = false;

  constructor(
    private readonly settings: Settings,
    private readonly engine: Engine,
    private readonly units: Units,
  ) {}

  /** Gives a new sandbox a container that is ready. @returns false where there is none */
  async claim(sandbox: SandboxHandle): Promise<boolean> {
    if (this.settings.SANDBOX_WARM === 0) return false;
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
    if (this.isWorking || this.isClosed) return;
    this.isWorking = true;
    try {
      const { current, useless } = await this.find(installationId);
      const surplus = current.slice(this.settings.SANDBOX_WARM);
      for (const { store } of [...useless, ...surplus]) await this.units.remove({ name: store, store });
      for (let n = current.length; n < this.settings.SANDBOX_WARM && !this.mustStop(); n++)
        await this.make(installationId);
    } catch (error) {
      this.log.warn(`No container can be made ahead: ${messageOf(error)}`);
    } finally {
      this.isWorking = false;
    }
  }

  /** Makes no more; those that wait stay for the next start. */
  close(): void {
    this.isClosed = true;
  }

  private mustStop(): boolean {
    return this.isClosed;
  }

  private async make(installationId: string): Promise<void> {
    const store = PREFIX + newId();
    const unit: Unit = {
      name: store,
      store,
      installationId,
      labels: { [LABELS.warm]: installationId, [LABELS.settings]: await this.settingsDigest() },
      keys: JSON.stringify({ session_api_keys: [], secret_key: randomBytes(32).toString('base64url') }),
      environment: { OH_DEFERRED_INIT: '1' },
    };
    await this.units.run(unit).catch(async (error: unknown) => {
      await this.units.remove(unit);
      throw error;
    });
  }

  /** Those that wait with the settings of now, and what is left of others. */
  private async find(
    installationId: string,
  ): Promise<{ current: readonly { store: string }[]; useless: readonly { store: string }[] }> {
    const digest = await this.settingsDigest();
    const { containers, volumes, claimed } = await this.listed(installationId);
    const waiting = containers.filter(({ store }) => store.startsWith(PREFIX));
    const isCurrent = ({ info }: { info: ContainerInfo }): boolean =>
      info.State === 'running' && info.Labels[LABELS.settings] === digest;
    const isOld = (createdMs: number): boolean => Date.now() - createdMs > YOUNG_MS;
    const known = new Set([...waiting.map(({ store }) => store), ...claimed]);
    return {
      current: waiting.filter(isCurrent),
      useless: [
        ...waiting.filter((one) => !isCurrent(one) && isOld(one.info.Created * 1_000)),
        ...volumes.filter(({ store, createdMs }) => !known.has(store) && isOld(createdMs)),
      ],
    };
  }

  private async listed(installationId: string): Promise<{
    containers: { store: string; info: ContainerInfo }[];
    volumes: { store: string; createdMs: number }[];
    claimed: string[];
  }> {
    const madeAhead = { label: [`${LABELS.warm}=${installationId}`] };
    const taken = { label: [`${LABELS.installation}=${installationId}`, LABELS.store] };
    const [containers, volumes, markers] = await this.engine.use((docker) =>
      Promise.all([
        docker.listContainers({ all: true, filters: madeAhead }),
        docker.listVolumes({ filters: madeAhead }),
        docker.listVolumes({ filters: taken }),
      ]),
    );
    return {
      containers: containers.map((info) => ({ store: info.Names[0]?.slice(1) ?? '', info })),
      volumes: volumes.Volumes.map((volume) => ({ store: volume.Name, createdMs: createdMsOf(volume) })),
      claimed: markers.Volumes.flatMap(({ Labels }) => Labels[LABELS.store] ?? []),
    };
  }

  private async isReady(name: string): Promise<boolean> {
    try {
      const url = `${await this.units.addressOf(name)}/ready`;
      return (await fetch(url, { signal: AbortSignal.timeout(READY_MS) })).ok;
    } catch {
      return false;
    }
  }

  /** @returns false when another sandbox was quicker */
  private async take(sandbox: SandboxHandle, store: string): Promise<boolean> {
    const name = nameOf(sandbox.id);
    const labels = { ...labelsOf(sandbox), [LABELS.store]: store };
    await this.engine.use((docker) => docker.createVolume({ Name: name, Labels: labels }));
    try {
      await this.engine.use((docker) => docker.getContainer(store).rename({ name }));
      return true;
    } catch (error) {
      await this.units.containers.removeVolume(name);
      if (statusOf(error) === NOT_FOUND) return false;
      throw error;
    }
  }

  /** Gives the agent server the sandbox's keys in place of its own. @returns false when it does not take them */
  private async hand(sandbox: SandboxHandle, store: string): Promise<boolean> {
    try {
      const name = nameOf(sandbox.id);
      await this.units.firewall.enforce({ store, installationId: sandbox.installationId });
      const response = await fetch(`${await this.units.addressOf(name)}/api/init`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Init-API-Key': await keysIn(this.engine, name) },
        body: agentServerFile(sandbox.sessionKey),
        signal: AbortSignal.timeout(INIT_MS),
      });
      if (response.ok) return true;
      this.log.warn(`The container ${store} that was made ahead is of no use: status ${response.status}`);
    } catch (error) {
      this.log.warn(`The container ${store} that was made ahead is of no use: ${messageOf(error)}`);
    }
    return false;
  }

  private async settingsDigest(): Promise<string> {
    const unit = { name: '', store: '', installationId: '', labels: {}, keys: '', environment: {} };
    const container = containerOf(this.settings, unit, { uid: 0, published: null });
    return digestOf(JSON.stringify([container, await this.units.containers.imageId()])).slice(0, 16);
  }
}

function createdMsOf(volume: object): number {
  const created = 'CreatedAt' in volume && typeof volume.CreatedAt === 'string' ? volume.CreatedAt : '';
  return Date.parse(created) || 0;
}
