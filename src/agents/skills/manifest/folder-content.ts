import { lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { RegistrationProblem } from '../registration/registration-problem';
import { MOST_ENTRIES } from '../fetch/tree-listing';
import type { Content, FileHead } from './content';

/** The files under `GIT_LOCAL_ROOT`. Its root is that folder, so links may point anywhere inside it. */
export class FolderContent implements Content {
  private listed = 0;

  private constructor(
    private readonly root: string,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws RegistrationProblem when the root does not exist */
  static async open(root: string, signal: AbortSignal): Promise<FolderContent> {
    try {
      return new FolderContent(await realpath(resolve(root)), signal);
    } catch (cause) {
      throw new RegistrationProblem('the folder of local marketplaces is not there', { cause });
    }
  }

  async kindOf(path: string): Promise<'file' | 'folder' | 'link' | null> {
    this.signal.throwIfAborted();
    const found = await lstat(join(this.root, path)).catch(() => null);
    if (found?.isSymbolicLink()) return 'link';
    if (found?.isDirectory()) return 'folder';
    return found?.isFile() ? 'file' : null;
  }

  async names(folder: string): Promise<readonly string[]> {
    const names = await readdir(join(this.root, folder)).catch(() => []);
    this.listed += names.length;
    if (this.listed > MOST_ENTRIES)
      throw new RegistrationProblem(`the marketplace has more than ${MOST_ENTRIES} files and folders`);
    return names;
  }

  /** An absolute link to a path under the root is treated as one inside it. */
  async linkTarget(path: string): Promise<string> {
    const target = await readlink(join(this.root, path)).catch(() => '/');
    if (!target.startsWith(this.root + sep)) return target;
    const back = path
      .split('/')
      .slice(1)
      .map(() => '..');
    return [...back, relative(this.root, target)].join('/');
  }

  prefetch(): Promise<void> {
    return Promise.resolve();
  }

  async read(paths: readonly string[], keepBytes: number): Promise<ReadonlyMap<string, FileHead>> {
    const found = new Map<string, FileHead>();
    for (const path of paths) {
      this.signal.throwIfAborted();
      const head = await this.readHead(path, keepBytes);
      if (head) found.set(path, head);
    }
    return found;
  }

  private async readHead(path: string, keepBytes: number): Promise<FileHead | null> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(join(this.root, path), flags).catch(() => null);
    if (!file) return null;
    try {
      const { size } = await file.stat();
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(size, keepBytes)), 0);
      return { size, head: buffer.subarray(0, bytesRead) };
    } catch {
      return null;
    } finally {
      await file.close();
    }
  }
}
