import { lstat, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../../common';

/** The user PostgreSQL runs as; null means the user of this process. */
export type ServerUser = { readonly uid: number; readonly gid: number } | null;

/**
 * Chooses the user, since PostgreSQL refuses to run as root: when started as root, the owner of its folder, else an
 * unprivileged user of this system.
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
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return unprivilegedUser();
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

/** initdb looks up the name of its user, so the uid must be in /etc/passwd. */
async function unprivilegedUser(): Promise<ServerUser> {
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => {
    const [name, , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  const ordinary = users.filter(({ uid, gid }) => uid > 0 && gid > 0);
  const user = ordinary.find(({ name }) => name === 'nobody') ?? ordinary[0];
  if (user === undefined)
    throw new StartError(
      'PostgreSQL does not run as root, and /etc/passwd has no other user. Start as another user, or set DATABASE_URL.',
    );
  return { uid: user.uid, gid: user.gid };
}
