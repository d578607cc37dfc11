import { randomBytes } from 'node:crypto';
import { access, constants, link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, newId, processSpace, StartError, startOf } from './kernel/common';

const ADDRESS = 'address';
const CALLBACK_PORT = 'callback-port';

/** The process that listens at an address. */
const listenerSchema = z.object({
  url: z.url(),
  pid: z.int(),
  start: z.string(),
  space: z.string(),
});

type Listener = z.infer<typeof listenerSchema>;

/** The files that the service itself keeps in `DATA_DIR`. */
export class DataDir {
  /**
   * What a backup has of it: who the host is, the first key, and what sandboxes of this host have. Everything else is of
   * the running server, is made again, or, as the key for secrets, is kept apart.
   */
  static readonly KEPT: readonly string[] = ['host-id', 'owner.key', 'sandboxes'];

  static readonly SECRET_KEY = 'secret.key';

  /** Says of which restore the rest is, while that may still fail: until then it may be run again, and replace it. */
  static readonly RESTORED = 'restore.moved';

  private constructor(readonly path: string) {}

  /** @throws StartError when the folder cannot be created or written to */
  static async open(path: string): Promise<DataDir> {
    try {
      await mkdir(path, { recursive: true });
      await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new StartError(`DATA_DIR ${path} cannot be used: ${problemWith(error)}`, { cause: error });
    }
    return new DataDir(path);
  }

  /**
   * Opens the folder for reading only; creates nothing.
   * @throws StartError when there is no such folder, or it cannot be read
   */
  static async existing(path: string): Promise<DataDir> {
    await access(path, constants.R_OK | constants.X_OK).catch((error: unknown) => {
      throw new StartError(`DATA_DIR ${path} cannot be used: ${problemWith(error)}`, { cause: error });
    });
    return new DataDir(path);
  }

  /**
   * Who this host is among those that run sandboxes (docs/decisions/0016-hosts-own-sandboxes.md); made once.
   */
  hostId(): Promise<string> {
    return this.once('host-id', newId);
  }

  /** The key for secrets at rest where no `SECRET_KEY` is set; made once. */
  secretKey(): Promise<string> {
    return this.once(DataDir.SECRET_KEY, () => randomBytes(32).toString('base64url'));
  }

  /** The key for secrets at rest that was made once; null where there is none. */
  knownSecretKey(): Promise<string | null> {
    return this.known(DataDir.SECRET_KEY);
  }

  /** Writes the key for secrets of an installation that had another folder. */
  async keepSecretKey(key: string): Promise<void> {
    await writeFile(this.file(DataDir.SECRET_KEY), `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  }

  /** Marks the folder as in use: no restore may replace it from now on. */
  async forgetRestore(): Promise<void> {
    await rm(this.file(DataDir.RESTORED), { force: true });
  }

  /** Writes the first API key to a file for its owner. @returns its path */
  async saveOwnerKey(key: string): Promise<string> {
    const file = this.file('owner.key');
    await rm(file, { force: true }); // the permissions of an existing file could be wider
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return file;
  }

  /** The port at which sandboxes of this host called before; null for none. */
  async callbackPort(): Promise<number | null> {
    return Number(await this.known(CALLBACK_PORT)) || null;
  }

  async saveCallbackPort(port: number): Promise<void> {
    await writeFile(this.file(CALLBACK_PORT), `${port}\n`, { mode: 0o600 });
  }

  /** Writes down where this process listens, for programs of this machine. */
  async saveAddress(url: string): Promise<void> {
    const [start, space] = await Promise.all([startOf(process.pid), processSpace()]);
    const listener: Listener = { url, pid: process.pid, start: start ?? '', space };
    await writeFile(this.file(ADDRESS), JSON.stringify(listener), { mode: 0o600 });
  }

  /**
   * Where the service of a data folder listens. Whoever else listens there after it was killed is not taken for it: the
   * process that wrote the address has to be alive.
   * @returns null when none runs
   */
  static async addressOf(path: string): Promise<string | null> {
    const text = await readFile(join(path, ADDRESS), 'utf8').catch(missing);
    if (text === null) return null;
    const { url, pid, start, space } = listenerSchema.parse(JSON.parse(text));
    return space === (await processSpace()) && start === (await startOf(pid)) ? url : null;
  }

  /** Forgets where the service listened. */
  async removeAddress(): Promise<void> {
    await rm(this.file(ADDRESS), { force: true });
  }

  /** The text of a file. The first of several concurrent starts creates it, atomically and durably; all read it. */
  private async once(name: string, make: () => string): Promise<string> {
    const file = this.file(name);
    const draft = `${file}.${process.pid}`;
    try {
      const known = await this.known(name);
      if (known !== null) return known;
      const handle = await open(draft, 'w', 0o600);
      await handle.writeFile(`${make()}\n`);
      await handle.sync();
      await handle.close();
      await link(draft, file).catch(ifThere);
      return (await readFile(file, 'utf8')).trim();
    } catch (error) {
      throw new StartError(`${file} cannot be read or created: ${String(error)}`, { cause: error });
    } finally {
      await rm(draft, { force: true });
    }
  }

  private async known(name: string): Promise<string | null> {
    const text = await readFile(this.file(name), 'utf8').catch(missing);
    return text === null ? null : text.trim();
  }

  private file(name: string): string {
    return join(this.path, name);
  }
}

/** What is wrong with a folder, and what to do. */
function problemWith(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const user = process.getuid?.() ?? '';
  const sentences: Readonly<Record<string, string>> = {
    ENOENT: 'it does not exist. Name the folder of the installation.',
    EEXIST: 'it is no folder. Name a folder, or the path of a new one.',
    ENOTDIR: 'there is a file on its path. Name a folder, or the path of a new one.',
    EACCES: `user ${user} may not write there. Give the folder to this user, or name another one.`,
    EROFS: 'its file system is read-only. Name a folder of another one.',
    ENOSPC: 'its file system is full. Free space, or name a folder of another one.',
  };
  return sentences[code] ?? messageOf(error);
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
