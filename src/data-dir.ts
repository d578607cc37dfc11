import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId, StartError } from './common';

/** The files that the service itself keeps in `DATA_DIR`. */
export class DataDir {
  private constructor(readonly path: string) {}

  /** @throws StartError when the folder neither exists nor can be created */
  static async open(path: string): Promise<DataDir> {
    try {
      await mkdir(path, { recursive: true });
    } catch (error) {
      throw new StartError(`DATA_DIR ${path} cannot be created: ${String(error)}`, { cause: error });
    }
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
    return this.once('secret.key', () => randomBytes(32).toString('base64url'));
  }

  /** Writes the first API key to a file for its owner. @returns its path */
  async saveOwnerKey(key: string): Promise<string> {
    const file = this.file('owner.key');
    await rm(file, { force: true }); // the permissions of an existing file could be wider
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return file;
  }

  /** The text of a file. The first of several concurrent starts creates it, atomically and durably; all read it. */
  private async once(name: string, make: () => string): Promise<string> {
    const file = this.file(name);
    const draft = `${file}.${process.pid}`;
    try {
      const known = await readFile(file, 'utf8').catch(missing);
      if (known !== null) return known.trim();
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

  private file(name: string): string {
    return join(this.path, name);
  }
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
