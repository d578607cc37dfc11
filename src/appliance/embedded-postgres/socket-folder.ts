import { chown, lstat, mkdtemp, realpath, rm, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../kernel/common';
import { type ServerUser, unreachableFor } from './server-user';

/** Part of the socket's name, and of every address: without it `PGPORT` would count. Nothing listens on TCP. */
const PORT = 5432;
const SOCKET = `.s.PGSQL.${PORT}`;

/** Bytes that the path of a socket may have on every system: macOS has room for 104, Linux for 108, with a NUL. */
const LONGEST_PATH = 103;

const TEMPORARY = 'ocs-postgres-';

/**
 * Where the server listens, and the service looks for it: a Unix socket in a folder that only the server's user and
 * root can enter. Unlike a TCP port, nobody else can take it while the server is away
 * (docs/decisions/0002-embedded-postgresql.md).
 */
export class SocketFolder {
  private constructor(
    readonly path: string,
    private readonly user: ServerUser,
    private readonly isTemporary: boolean,
  ) {}

  /**
   * The data folder itself; a temporary folder where its path is too long for a socket, its file system has none, or
   * other users can put another folder in the place of one above it. No server may run in the data folder.
   * @param warn is called for a folder that others can replace, where there is no temporary one either
   * @throws StartError when there is neither
   */
  static async open(
    dataFolder: string,
    user: ServerUser,
    warn: (message: string) => void,
  ): Promise<SocketFolder> {
    const path = await realpath(dataFolder);
    const open = await openToOthers(dirname(path), user);
    const isUsable = fits(path) && (await takesSockets(path));
    if (open === null && isUsable) return new SocketFolder(path, user, false);
    const temporary = await makeTemporary(user);
    if (temporary !== null) return new SocketFolder(temporary, user, true);
    if (!isUsable)
      throw new StartError(
        `The socket of the database can be neither in ${path}, whose path is too long or whose file system has no sockets, nor in ${tmpdir()}. Set another DATA_DIR.`,
      );
    warn(`Other users can write to ${open}, and so put another folder in the place of the database's.`);
    return new SocketFolder(path, user, false);
  }

  /** The argument for the server. It runs in its data folder, whose parents may be closed to its user. */
  get settings(): Readonly<Record<string, string>> {
    return {
      port: String(PORT),
      unix_socket_directories: this.isTemporary ? `"${this.path.replaceAll('"', '""')}"` : '.',
      unix_socket_permissions: '0700',
    };
  }

  /** The address of a role, for every process that may enter the folder. */
  addressOf(role: string, password: string): string {
    const credentials = `${encodeURIComponent(role)}:${encodeURIComponent(password)}`;
    return `postgres://${credentials}@${encodeURIComponent(this.path)}:${PORT}/postgres`;
  }

  /**
   * Removes what a killed server left: its lock file may name a pid that another process has by now.
   * @throws StartError when others can enter the folder
   */
  async prepare(): Promise<void> {
    if (!(await isPrivate(this.path, this.user?.uid ?? process.getuid?.())))
      throw new StartError(`${this.path}, where the database listens, must be open to its owner alone.`);
    await removeSocket(this.path);
  }

  /** Removes the folder if it is temporary. The server has ended. */
  async close(): Promise<void> {
    if (this.isTemporary) await removeFolder(this.path);
  }
}

/** The folder in an address that {@link SocketFolder.addressOf} made; null in an address of a TCP port. */
export function socketFolderIn(address: string): string | null {
  const host = decodeURIComponent(new URL(address).hostname);
  return host.startsWith('/') ? host : null;
}

/** Whether the path is a folder that its owner, which is `uid`, has for itself. */
export async function isPrivate(path: string, uid: number | undefined): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
}

/** Removes the temporary folder of a run that was killed, which listened at `address`. */
export async function removeLeftover(address: string, user: ServerUser): Promise<void> {
  const path = socketFolderIn(address);
  if (path === null || !basename(path).startsWith(TEMPORARY)) return;
  // Once it was gone, anyone could have made one of that name.
  if (await isPrivate(path, user?.uid ?? process.getuid?.())) await removeFolder(path);
}

async function makeTemporary(user: ServerUser): Promise<string | null> {
  const parent = await realpath(tmpdir()).catch(() => null);
  if (parent === null || !fits(join(parent, `${TEMPORARY}XXXXXX`))) return null;
  if ((await openToOthers(parent, user)) !== null || (await unreachableFor(user, parent)) !== null)
    return null;
  const path = await mkdtemp(join(parent, TEMPORARY)).catch(() => null);
  if (path !== null && user !== null) await chown(path, user.uid, user.gid);
  return path;
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= LONGEST_PATH;
}

/** Folders that a virtual machine shares with its host, for one, may take none. */
async function takesSockets(folder: string): Promise<boolean> {
  await removeSocket(folder);
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen({ path: join(folder, SOCKET), exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * The first, from the folder up to the root, in which other users can rename what is not theirs; or null. In a folder
 * with the sticky bit, such as `/tmp`, they cannot.
 */
async function openToOthers(folder: string, user: ServerUser): Promise<string | null> {
  const { uid, mode } = await lstat(folder);
  const isShared = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
  if (isShared || ![0, process.getuid?.(), user?.uid].includes(uid)) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : openToOthers(parent, user);
}

async function removeFolder(path: string): Promise<void> {
  await removeSocket(path);
  await rmdir(path).catch(() => undefined); // what else is in it is not ours
}

async function removeSocket(folder: string): Promise<void> {
  for (const name of [SOCKET, `${SOCKET}.lock`]) await rm(join(folder, name), { force: true });
}
