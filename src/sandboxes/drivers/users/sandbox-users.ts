import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { lchown, lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOf } from '../../../common';
import { DriverError } from '../../record/sandbox-driver';

/**
 * Users that nothing else on a machine uses. The large range lets other installations on the same host
 * choose at random as well, and never the same one; inside a container with few users there is the range that
 * systems keep for services made on demand.
 */
const LARGE = { first: 1_879_048_192, last: 2_147_483_646 };
const SMALL = { first: 61_184, last: 65_519 };
const TRIES = 1_000;

/** What processes that were killed may take to be gone. */
const ENDING_MS = 5_000;
const POLL_MS = 20;

/**
 * A user for one sandbox, unknown to the system and to the other sandboxes.
 * @param taken users of other sandboxes
 * @throws DriverError
 */
export async function newUser(taken: ReadonlySet<number>): Promise<number> {
  const { first, last } = (await hasAllUsers()) ? LARGE : SMALL;
  const busy = await usersOfProcesses();
  for (let n = 0; n < TRIES; n++) {
    const uid = randomInt(first, last + 1);
    if (!taken.has(uid) && !busy.has(uid)) return uid;
  }
  throw new DriverError('The host has no free user for another sandbox.');
}

async function hasAllUsers(): Promise<boolean> {
  const map = await readFile('/proc/self/uid_map', 'utf8').catch(() => '');
  return map.split('\n').some((line) => {
    const [inside, , count] = line.trim().split(/\s+/).map(Number);
    return inside === 0 && count !== undefined && count > LARGE.last;
  });
}

/** The users that have processes. Linux only. */
export async function usersOfProcesses(): Promise<Set<number>> {
  const owners = (await processes()).map(({ uid }) => uid);
  return new Set(owners);
}

/** The living processes of other users on a Linux system. */
async function processes(): Promise<{ pid: number; uid: number }[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const entry = await stat(`/proc/${pid}`).catch(() => null);
      if (entry === null || entry.uid === process.getuid?.()) return [];
      // Skips zombies.
      return (await startOf(pid)) === null ? [] : [{ pid, uid: entry.uid }];
    }),
  );
  return found.flat();
}

/**
 * Ends every process of a sandbox's user, whatever session or group it created, and those that they start meanwhile.
 * Linux only.
 * @returns false when some are left at the time-out
 */
export async function endProcessesOf(uid: number): Promise<boolean> {
  const deadline = performance.now() + ENDING_MS;
  for (;;) {
    await killAllOf(uid);
    const left = (await processes()).filter((found) => found.uid === uid);
    if (left.length === 0) return true;
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
}

/**
 * Kills all processes of a sandbox's user in one call, as that user: those that start another one and end would be gone
 * before they are killed one by one, or even found. Never those of a user of the system.
 */
function killAllOf(uid: number): Promise<void> {
  const asUser = { uid, gid: uid, cwd: '/', env: {}, timeout: ENDING_MS };
  if (uid < SMALL.first) return Promise.resolve();
  return new Promise((resolve) => {
    // Whether it found any does not matter: what is left is looked for afterwards.
    execFile('/bin/sh', ['-c', 'kill -s KILL -- -1'], asUser, () => resolve());
  });
}

/** How many files and sockets the processes of other users have open, by user; a shared one counts for each. */
export async function openFilesByUser(): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const { pid, uid } of await processes()) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    counts.set(uid, (counts.get(uid) ?? 0) + files.length);
  }
  return counts;
}

/** Changes the owner recursively; skips symlinks and files with several hard links. */
export async function giveTo(uid: number, folder: string): Promise<void> {
  await lchown(folder, uid, uid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveTo(uid, path);
    else if ((await lstat(path)).nlink === 1) await lchown(path, uid, uid);
  }
}
