import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Engine } from '../engine';
import { bridgePrefix } from '../names';
import { BRIDGE_NAME } from './networks';

const run = promisify(execFile);
const INTERFACES = '/sys/class/net';

/** A network that is just being made has a bridge before the engine lists it. */
const PATIENCE_MS = 60_000;
const IP_MS = 10_000;

/**
 * Bridges on this host that no network of the engine has: one that is killed while it makes a network leaves the bridge,
 * and does not remove it with that network later.
 */
export class OrphanedBridges {
  /** Since when each was seen without a network. */
  private readonly since = new Map<string, number>();

  constructor(
    private readonly engine: Engine,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** Removes those that have been without a network for a while. @throws Error when it cannot */
  async remove(installationId: string): Promise<void> {
    if (this.engine.remoteHost !== null || process.getuid?.() !== 0) return;
    const left = await this.found(bridgePrefix(installationId));
    for (const bridge of this.since.keys()) if (!left.includes(bridge)) this.since.delete(bridge);
    const now = performance.now();
    for (const bridge of left) {
      const since = this.since.get(bridge) ?? now;
      this.since.set(bridge, since);
      if (now - since > this.patienceMs) await removeInterface(bridge);
    }
  }

  private async found(prefix: string): Promise<string[]> {
    const bridges = (await readdir(INTERFACES).catch(() => [])).filter((name) => name.startsWith(prefix));
    if (bridges.length === 0) return [];
    const networks = await this.engine.use((docker) => docker.listNetworks());
    const known = new Set(networks.map(({ Options }) => Options?.[BRIDGE_NAME]));
    const left: string[] = [];
    // Another engine of this host may have it in use.
    for (const bridge of bridges) if (!known.has(bridge) && !(await hasPorts(bridge))) left.push(bridge);
    return left;
  }
}

async function hasPorts(bridge: string): Promise<boolean> {
  return (await readdir(`${INTERFACES}/${bridge}/brif`).catch(() => [])).length > 0;
}

async function removeInterface(name: string): Promise<void> {
  // Its usual folder is not always in PATH.
  const env = { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };
  await run('ip', ['link', 'delete', 'dev', name], { timeout: IP_MS, env });
}
