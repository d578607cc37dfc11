import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { digestOf, messageOf } from '../../../common';
import type { Settings } from '../../../config';
import { DriverError } from '../../record/sandbox-driver';
import { usersOfProcesses } from '../users/sandbox-users';
import {
  admitScript,
  releaseScript,
  removeScript,
  type SandboxListener,
  tableScript,
} from './firewall-rules';
import { nft } from './nft';
import { nameServers, openTcpPorts, portAt } from './open-ports';

/** What a process that was killed may take to be gone. */
const ENDING_MS = 500;
const POLL_MS = 50;

/** A sandbox with a user of its own, and where its agent server listens. */
export interface SandboxUser {
  readonly uid: number;
  readonly host: string;
  readonly port: number;
}

/**
 * Keeps sandboxes with users of their own from the ports of this host, but for the callback address and what they
 * listen on themselves, and others from what they listen on, but for their agent servers
 * (docs/sandboxes.md#isolation). It is one table of nftables for each installation, for the sandboxes in `DATA_DIR`:
 * their users are in it from before their first process.
 */
export class HostFirewall {
  private readonly log = new Logger('Sandboxes');
  private readonly table: string;
  private readonly admitted = new Map<number, SandboxListener>();
  private opening: Promise<boolean> | undefined;

  /** @param known those of the sandboxes there are that have users of their own */
  constructor(
    private readonly settings: Settings,
    private readonly known: () => Promise<readonly SandboxUser[]>,
  ) {
    this.table = `sandboxes_${digestOf(resolve(settings.DATA_DIR)).slice(0, 16)}`;
  }

  /** Makes the table, or says in the log why there is none. @returns whether there is one */
  open(): Promise<boolean> {
    this.opening ??= this.make();
    return this.opening;
  }

  /**
   * Called before a user gets its first process, and again before its agent server listens elsewhere.
   * @throws DriverError when it would not be kept from anything
   */
  async admit(user: SandboxUser): Promise<void> {
    if (!(await this.open())) return;
    const before = this.admitted.get(user.uid);
    try {
      const now = await listenerOf(user);
      const release = before === undefined ? '' : releaseScript(this.table, before);
      await nft(release + admitScript(this.table, now));
      this.admitted.set(user.uid, now);
    } catch (cause) {
      throw new DriverError('The sandbox cannot be kept from the ports of its host.', { cause });
    }
  }

  /** Called when a user has no processes and never will. */
  async release(uid: number): Promise<void> {
    const before = this.admitted.get(uid);
    if (before === undefined) return;
    this.admitted.delete(uid);
    await nft(releaseScript(this.table, before)).catch((error: unknown) =>
      this.log.warn(`A user stays in the table ${this.table} of nftables: ${messageOf(error)}`),
    );
  }

  /** Removes the table, unless sandboxes run on without the service: then it stays for them. */
  async close(): Promise<void> {
    if (this.opening === undefined || !(await this.opening)) return;
    if (await this.haveProcesses()) return;
    await nft(removeScript(this.table)).catch((error: unknown) =>
      this.log.warn(`The table ${this.table} of nftables stays: ${messageOf(error)}`),
    );
  }

  /** Whether users have processes that do not just end. */
  private async haveProcesses(): Promise<boolean> {
    const start = performance.now();
    while (performance.now() - start < ENDING_MS) {
      const running = await usersOfProcesses();
      if (![...this.admitted.keys()].some((uid) => running.has(uid))) return false;
      await sleep(POLL_MS);
    }
    return true;
  }

  private async make(): Promise<boolean> {
    const { table } = this;
    try {
      const sandboxes = await Promise.all((await this.known()).map(listenerOf));
      await nft(
        tableScript({ table, sandboxes, tcp: await openTcpPorts(this.settings), udp: nameServers() }),
      );
      for (const sandbox of sandboxes) this.admitted.set(sandbox.uid, sandbox);
      return true;
    } catch (error) {
      this.log.warn(
        `Sandboxes reach the ports of this host, the database's and each other's among them: nftables cannot be used (${messageOf(error)}).`,
      );
      return false;
    }
  }
}

async function listenerOf({ uid, host, port }: SandboxUser): Promise<SandboxListener> {
  return { uid, listens: await portAt(host, port) };
}
