import { mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { digestOf, startOf } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { killProcessesIn } from './git/killed-processes';

/** No folder in use is older. For folders of another machine, whose processes cannot be checked. */
const SURELY_ABANDONED_MS = 10 * 60_000;
const OWNER = /^([0-9a-f]{8})-(\d+)-([0-9a-f]{8})$/;

/**
 * The folders that repositories are fetched into. Each process has its own under `DATA_DIR/marketplaces`; at start,
 * the folders of dead processes are removed, together with any git still running in them.
 */
@Injectable()
export class TemporaryFolders implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Marketplaces');
  private readonly root: string;
  private readonly host = shortDigest(hostname());
  private readonly used = new Set<Promise<unknown>>();
  private own: Promise<string> | null = null;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.root = resolve(settings.DATA_DIR, 'marketplaces');
  }

  async onModuleInit(): Promise<void> {
    for (const name of await namesIn(this.root)) {
      const folder = join(this.root, name);
      if (!(await this.isAbandoned(name, folder))) continue;
      // Outside Linux git ends by itself: it lost the network together with the service.
      await killProcessesIn([await realpath(folder)]);
      await rm(folder, { recursive: true, force: true });
      this.logger.log(`Removed ${folder}, left behind by a process that has ended`);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.used);
    if (this.own) await rm(await this.own, { recursive: true, force: true });
  }

  /** Runs the work in a new folder, which is removed afterwards in every case. */
  async within<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const use = this.use(work);
    this.used.add(use);
    try {
      return await use;
    } finally {
      this.used.delete(use);
    }
  }

  private async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    this.own ??= this.makeOwn();
    const folder = await mkdtemp(join(await this.own, 'fetch-'));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  private async makeOwn(): Promise<string> {
    const own = join(this.root, `${this.host}-${process.pid}-${await identityOf(process.pid)}`);
    await mkdir(own, { recursive: true, mode: 0o700 });
    // Processes are found by their working folder, which the system reports as a real path.
    return realpath(own);
  }

  private async isAbandoned(name: string, folder: string): Promise<boolean> {
    const [, host, pid, start] = OWNER.exec(name) ?? [];
    if (pid === undefined) return false;
    if (host === this.host) return (await identityOf(Number(pid))) !== start;
    const made = await stat(folder).catch(() => null);
    return made !== null && Date.now() - made.mtimeMs > SURELY_ABANDONED_MS;
  }
}

/** Distinguishes a living process from a later one with the same pid; that of a dead process matches none. */
async function identityOf(pid: number): Promise<string> {
  return shortDigest((await startOf(pid)) ?? '');
}

function shortDigest(text: string): string {
  return digestOf(text).slice(0, 8);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
