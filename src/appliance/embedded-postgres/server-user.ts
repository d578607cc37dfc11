import { randomInt } from 'node:crypto';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../kernel/common';

/** The user a program of PostgreSQL runs as; null means the user of this process. */
export type ServerUser = { readonly uid: number; readonly gid: number } | null;

/** Uids that Linux systems do not assign, neither to people nor to services; nor are they those of sandboxes. */
const OWN_USERS = { first: 60_578, last: 61_183 };

/**
 * PostgreSQL refuses to run as root. Started as root it gets a user of its own, which no other process has; a
 * folder that an ordinary user's start made stays with that user.
 * @param folder the server's folder, which need not exist yet
 * @throws StartError when the folder belongs to a user that this process cannot switch to
 */
export async function serverUserFor(folder: string): Promise<ServerUser> {
  const own = process.getuid?.();
  const owner = await lstat(folder).catch(() => null);
  if (own !== 0) {
    if (owner !== null && owner.uid !== own)
      throw new StartError(
        `The database folder ${folder} belongs to user ${owner.uid}. Start as that user or as root, or set another DATA_DIR.`,
      );
    return null;
  }
  if (owner !== null && owner.uid !== 0 && owner.uid !== (await systemUser()).uid)
    return { uid: owner.uid, gid: owner.gid };
  const uid = await unusedUser();
  return { uid, gid: uid };
}

/** The user that runs initdb, which looks up the name of its user, so the uid must be in /etc/passwd. */
export async function initialUser(user: ServerUser): Promise<ServerUser> {
  return user === null ? null : systemUser();
}

/** The first of the folders on the way to `path`, and `path` itself, that the user cannot enter or read; or null. */
export async function unreachableFor(user: ServerUser, path: string): Promise<string | null> {
  if (user === null) return null;
  const parent = dirname(path);
  const above = parent === path ? null : await unreachableFor(user, parent);
  if (above !== null) return above;
  const found = await lstat(path);
  if (found.isSymbolicLink()) return null;
  const shift = found.uid === user.uid ? 6 : found.gid === user.gid ? 3 : 0;
  const needed = found.isDirectory() ? 0o1 : 0o4;
  return ((found.mode >> shift) & needed) === needed ? null : path;
}

interface SystemUser {
  readonly name: string | undefined;
  readonly uid: number;
  readonly gid: number;
}

async function systemUsers(): Promise<SystemUser[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.map((line) => {
    const [name, , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

/** `nobody`, where there is one. */
async function systemUser(): Promise<{ uid: number; gid: number }> {
  const ordinary = (await systemUsers()).filter(({ uid, gid }) => uid > 0 && gid > 0);
  const user = ordinary.find(({ name }) => name === 'nobody') ?? ordinary[0];
  if (user === undefined)
    throw new StartError(
      'PostgreSQL does not run as root, and /etc/passwd has no other user. Start as another user, or set DATABASE_URL.',
    );
  return { uid: user.uid, gid: user.gid };
}

/** Random, so that other installations on this machine get another one. */
async function unusedUser(): Promise<number> {
  const taken = new Set([...(await systemUsers()).map(({ uid }) => uid), ...(await usersOfProcesses())]);
  const { first, last } = OWN_USERS;
  const free = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((uid) => !taken.has(uid));
  const uid = free.length === 0 ? undefined : free[randomInt(free.length)];
  if (uid === undefined)
    throw new StartError(`All users from ${first} to ${last} are taken: PostgreSQL needs one of its own.`);
  return uid;
}

async function usersOfProcesses(): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => stat(join('/proc', pid)).catch(() => null)));
  return found.flatMap((process) => (process === null ? [] : [process.uid]));
}
