import cluster from 'node:cluster';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MEBIBYTE, signal } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import { DriverError } from '../../sandboxes/driver-port';

const ROOT = '/sys/fs/cgroup';
const NAME = 'org-conversation-service';
const CONTROLLERS = ['memory', 'pids'];
const ENABLED = CONTROLLERS.map((controller) => `+${controller}`).join(' ');

const POLL_MS = 20;
const ENDING_MS = 5_000;

let ofHost: { readonly groups: ControlGroups | null } | undefined;

/** The limits of a sandbox. */
export type Limits = Pick<Settings, 'SANDBOX_MEMORY_MEBIBYTES' | 'SANDBOX_PROCESSES'>;

/** Control groups of Linux, one for each sandbox, by which the kernel limits what all its processes have together. */
export class ControlGroups {
  /** @param folders that groups are made in: one of each controller, or one for all */
  private constructor(private readonly folders: readonly string[]) {}

  /** The control groups of this host, opened once; null where it has none for this process. */
  static ofHost(): ControlGroups | null {
    ofHost ??= { groups: ControlGroups.open() };
    return ofHost.groups;
  }

  /**
   * Makes the place for them.
   * @param root where the system shows its groups
   * @returns null where there are none that this process may use
   */
  static open(root = ROOT): ControlGroups | null {
    const isUnified = existsSync(join(root, 'cgroup.controllers'));
    try {
      return new ControlGroups(isUnified ? [delegated(root)] : CONTROLLERS.map((of) => made(join(root, of))));
    } catch {
      return null;
    }
  }

  /** Makes the group of a sandbox anew. @throws DriverError when processes in the one that it had cannot be ended */
  async make(id: string, { SANDBOX_MEMORY_MEBIBYTES, SANDBOX_PROCESSES }: Limits): Promise<void> {
    await this.remove(id);
    const bytes = String(SANDBOX_MEMORY_MEBIBYTES * MEBIBYTE);
    for (const folder of this.of(id)) await mkdir(folder);
    await this.set(id, 'pids.max', String(SANDBOX_PROCESSES));
    for (const file of ['memory.max', 'memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'])
      await this.set(id, file, bytes);
    await this.set(id, 'memory.swap.max', '0');
  }

  /** The files to which a process writes 0 to be in the group, with all that it starts. */
  entries(id: string): string[] {
    return this.of(id).map((folder) => join(folder, 'cgroup.procs'));
  }

  /** Whether the kernel ended a process of the group because there was no memory left for it. */
  async ranOut(id: string): Promise<boolean> {
    const files = ['memory.events', 'memory.oom_control'].map((name) => this.read(id, name));
    return /^oom_kill [1-9]/m.test((await Promise.all(files)).join('\n'));
  }

  /** Ends all processes of the group and removes it. @throws DriverError when some cannot be ended */
  async remove(id: string): Promise<void> {
    await this.set(id, 'pids.max', '0');
    await this.set(id, 'cgroup.kill', '1');
    const until = performance.now() + ENDING_MS;
    for (const folder of this.of(id)) {
      while (!(await isRemoved(folder))) {
        if (performance.now() > until) throw new DriverError('The processes of the sandbox cannot be ended.');
        const pids = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
        // Zero is one of another namespace, and this process group.
        for (const pid of pids.split('\n').map(Number)) if (pid > 0) signal(pid, 'SIGKILL');
        await sleep(POLL_MS);
      }
    }
  }

  private of(id: string): string[] {
    return this.folders.map((folder) => join(folder, id));
  }

  /** Systems differ in the files that they have. */
  private async set(id: string, name: string, value: string): Promise<void> {
    for (const folder of this.of(id))
      if (existsSync(join(folder, name))) await writeFile(join(folder, name), value);
  }

  private async read(id: string, name: string): Promise<string> {
    const texts = this.of(id).map((folder) => readFile(join(folder, name), 'utf8').catch(() => ''));
    return (await Promise.all(texts)).join('\n');
  }
}

async function isRemoved(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  );
}

/** A folder in that of a controller, which has to be there. */
function made(parent: string): string {
  const folder = join(parent, NAME);
  if (!existsSync(join(parent, 'cgroup.procs'))) throw new Error(`There is no ${parent}.`);
  mkdirSync(folder, { recursive: true });
  // An existing one may belong to the service of another user.
  accessSync(folder, constants.W_OK);
  return folder;
}

/**
 * A folder in the group of this process, where that was delegated to it. Groups in it can have limits while no process is
 * in itself: this one moves into a group beside theirs.
 */
function delegated(root: string): string {
  const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '';
  const group = join(root, path);
  const beside = join(group, 'service');
  const sandboxes = made(group);
  mkdirSync(beside, { recursive: true });
  try {
    for (const pid of own()) writeFileSync(join(beside, 'cgroup.procs'), pid);
    for (const folder of [group, sandboxes]) writeFileSync(join(folder, 'cgroup.subtree_control'), ENABLED);
    return sandboxes;
  } catch (error) {
    // It has other processes in it, or lacks the controllers.
    for (const pid of own()) writeFileSync(join(group, 'cgroup.procs'), pid);
    for (const folder of [beside, sandboxes]) rmdirSync(folder);
    throw error;
  }
}

/** This process, and the one that hands out its connections: those that it starts later are where it is. */
function own(): string[] {
  return cluster.isWorker ? ['0', String(process.ppid)] : ['0'];
}
