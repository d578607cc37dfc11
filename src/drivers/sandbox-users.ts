import { randomInt } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { DriverError } from '../sandboxes/driver-port';

/**
 * Users that nothing else on a machine uses. The large range lets other installations on the same host
 * choose at random as well, and never the same one; inside a container with few users there is the range that
 * systems keep for services made on demand.
 */
const LARGE = { first: 1_879_048_192, last: 2_147_483_646 };
const SMALL = { first: 61_184, last: 65_519 };
const TRIES = 1_000;

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

/**
 * The users and groups of a user namespace around those of sandboxes, as the system takes them.
 * @param uid the one that is 0 in it, and none of a sandbox; null for one where this process's is the only one
 */
export async function userMap(uid: number | null): Promise<{ users: string; groups: string }> {
  if (uid === null) return { users: `0 ${process.getuid?.()} 1`, groups: `0 ${process.getgid?.()} 1` };
  const { first, last } = (await hasAllUsers()) ? LARGE : SMALL;
  const some = (from: number, to: number): string => (from > to ? '' : `${from} ${from} ${to - from + 1}\n`);
  const map = `0 ${uid} 1\n${some(first, uid - 1)}${some(uid + 1, last)}`;
  return { users: map, groups: map };
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

/** Each folder on the way is held open: more of them would take open files from others. */
const MAX_DEPTH = 200;

/**
 * Changes the owner of folders and files; skips what else there is, and files with several hard links. Works on open handles,
 * by which a link that takes the place of a folder meanwhile leads nowhere. Linux only.
 * @throws DriverError where folders are nested too deep
 */
export async function giveTo(uid: number, path: string | Buffer, depth = 0): Promise<void> {
  if (depth > MAX_DEPTH)
    throw new DriverError('The folders of the sandbox are nested too deep to get a user.');
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  // Sockets and links cannot be opened; files that are gone by now need not be.
  const handle = await open(path, flags).catch(() => null);
  if (handle === null) return;
  try {
    const stats = await handle.stat();
    const isFolder = stats.isDirectory();
    if (!isFolder && !(stats.isFile() && stats.nlink === 1)) return;
    await handle.chown(uid, uid);
    if (!isFolder) return;
    const opened = `/proc/self/fd/${handle.fd}`;
    for (const name of await readdir(opened, { encoding: 'buffer' }))
      await giveTo(uid, Buffer.concat([Buffer.from(`${opened}/`), name]), depth + 1);
  } finally {
    await handle.close();
  }
}
