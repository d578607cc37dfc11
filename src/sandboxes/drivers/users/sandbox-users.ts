import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { lchown, lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DriverError } from '../../record/sandbox-driver';

/**
 * Users that nothing else on a machine uses. The large range lets other installations on the same host
 * choose at random as well, and never the same one; inside a container with few users there is the range that
 * systems keep for services made on demand.
 */
const LARGE = { first: 1_879_048_192, last: 2_147_483_646 };
const SMALL = { first: 61_184, last: 65_519 };
const TRIES = 1_000;

const ENDING_MS = 5_000;

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
async function usersOfProcesses(): Promise<Set<number>> {
  if (process.platform !== 'linux') return new Set();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => stat(`/proc/${pid}`).catch(() => null)));
  return new Set(found.flatMap((entry) => entry?.uid ?? []));
}

/** Kills all processes of a sandbox's user in one call, as that user. Never those of a user of the system. */
export function killAllOf(uid: number): Promise<void> {
  const asUser = { uid, gid: uid, cwd: '/', env: {}, timeout: ENDING_MS };
  if (uid < SMALL.first) return Promise.resolve();
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', 'kill -s KILL -- -1'], asUser, () => resolve());
  });
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
