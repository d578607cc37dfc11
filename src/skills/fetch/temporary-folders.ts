import { mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { digestOf, startOf } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { killProcessesIn } from './git/kill-processes';

/** Nothing in use is older; for what another machine left behind, whose processes cannot be asked. */
const SURELY_ABANDONED_MS = 10 * 60_000;
const OWNER = /^([0-9a-f]{8})-(\d+)-([0-9a-f]{8})$/;

/**
 * The folders that repositories are fetched into. Each process has one of its own under
 * `DATA_DIR/marketplaces`; at start, what dead ones left behind is removed, together with a git that still
 * works in there.
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
      // Elsewhere than on Linux they end by themselves: their way to the network has gone with the service.
      await killProcessesIn([await realpath(folder)]);
      await rm(folder, { recursive: true, force: true });
      this.logger.log(`Removed ${folder}, which a process that is gone left behind`);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.used);
    if (this.own) await rm(await this.own, { recursive: true, force: true });
  }

  /** Does the work in a new folder, which is gone afterwards in every case. */
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
    // What works in here is known by its folder as the system tells it.
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

/** Tells a living process from another that was given its number; of a dead one it fits nothing. */
async function identityOf(pid: number): Promise<string> {
  return shortDigest((await startOf(pid)) ?? '');
}

function shortDigest(text: string): string {
  return digestOf(text).slice(0, 8);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
