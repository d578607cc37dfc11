import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { MEBIBYTE } from '../../common';
import type { ArchiveWriter } from '../archive/archive-writer';
import { describeProblem } from '../archive/file-problem';
import { FILES } from '../archive/format';
import { BackupError } from '../backup-error';

/** What may go away while it is read, since sandboxes run meanwhile. */
const GONE = ['ENOENT', 'ELOOP', 'ENOTDIR'];

/** Of a path in bytes: with the folder that it is restored into, it has to be one that the system takes (4,096). */
const LONGEST_PATH = 3_000;

/** A file that takes less room on its disk than this part of its size is nearly all holes. */
const SMALLEST_PART = 1 / 64;
const BLOCK_BYTES = 512;

/** Of such files together: some systems say late how much room a file takes. */
const MAX_HOLES = 1024 * MEBIBYTE;

/** What user and group ids of a tar header may be; larger ones are written beside it. */
const MAX_ID = 0o777_777;

/** What was added to a backup, and what was not. */
export interface PackedFiles {
  readonly files: number;
  /** How many files, folders and links of sandboxes were left out. */
  readonly leftOut: number;
  /** The path of the first of them. */
  readonly example: string;
}

/**
 * Adds files and folders to a backup: files, folders and links, with owner, permissions and time. What a file has is added
 * once, however many names (hard links) it has. What else there is (sockets, pipes) is of running processes.
 *
 * Nothing that agents make ends a backup. Left out is what cannot be read, has a name or target that is not UTF-8 or a path
 * that is too long, and files that are nearly all holes, whose zeros would take hours.
 *
 * Agents may change their folders meanwhile. Each folder is read by its open handle, where the system has that, so that a
 * link that takes the place of a folder leads nowhere.
 * @param names in the folder; those that do not exist are left out
 * @throws BackupError when one of these cannot be read
 */
export async function packFiles(
  writer: ArchiveWriter,
  folder: string,
  names: readonly string[],
): Promise<PackedFiles> {
  const packer = new FilePacker(writer);
  for (const name of names) {
    const found = join(folder, name);
    await packer.add(found, FILES + name).catch((error: unknown) => {
      if (!GONE.includes(codeOf(error)))
        throw isOfPath(error) ? new BackupError(describeProblem(found, error), { cause: error }) : error;
    });
  }
  return packer;
}

class FilePacker implements PackedFiles {
  files = 0;
  leftOut = 0;
  example = '';
  private holes = 0;
  /** Files with more names than were met so far, by their number. */
  private readonly linked = new Map<string, { readonly path: string; namesLeft: number }>();

  constructor(private readonly writer: ArchiveWriter) {}

  /** @param path in the backup */
  async add(found: string, path: string): Promise<void> {
    const stats = await lstat(found);
    if (stats.isDirectory()) await this.addFolder(found, path, stats);
    else if (stats.isSymbolicLink()) await this.addLink(found, path, stats);
    else if (stats.isFile()) await this.addFile(found, path, stats);
  }

  private async addFolder(found: string, path: string, stats: Stats): Promise<void> {
    const handle = await open(found, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      await this.writer.entry({ ...headerOf(path, stats), type: 'directory' });
      const opened = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : found;
      for (const child of await readdir(opened, { encoding: 'buffer' }))
        await this.addChild(opened, path, child);
    } finally {
      await handle.close();
    }
  }

  private async addChild(parent: string, parentPath: string, child: Buffer): Promise<void> {
    const name = child.toString();
    const path = `${parentPath}/${name}`;
    if (!isUtf8(child) || Buffer.byteLength(path) > LONGEST_PATH) {
      this.leaveOut(path);
      return;
    }
    try {
      await this.add(join(parent, name), path);
    } catch (error) {
      if (!isOfPath(error)) throw error;
      if (!GONE.includes(codeOf(error))) this.leaveOut(path);
    }
  }

  private async addLink(found: string, path: string, stats: Stats): Promise<void> {
    const target = await readlink(found, { encoding: 'buffer' });
    if (!isUtf8(target)) {
      this.leaveOut(path);
      return;
    }
    await this.writer.entry({ ...headerOf(path, stats), type: 'symlink', linkname: target.toString() });
  }

  private async addFile(found: string, path: string, stats: Stats): Promise<void> {
    const handle = await open(found, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { dev, ino, nlink, size, blocks } = await handle.stat();
      const known = this.linked.get(`${dev} ${ino}`);
      if (known !== undefined) {
        await this.writer.entry({ ...headerOf(path, stats), type: 'link', linkname: known.path });
        if (--known.namesLeft === 0) this.linked.delete(`${dev} ${ino}`);
      } else if (this.isTooMuchOfNothing(size, blocks)) {
        this.leaveOut(path);
        return;
      } else {
        await this.writer.entry({ ...headerOf(path, stats), size }, Readable.from(exactly(handle, size)));
        if (nlink > 1) this.linked.set(`${dev} ${ino}`, { path, namesLeft: nlink - 1 });
      }
      this.files += 1;
    } finally {
      await handle.close();
    }
  }

  private isTooMuchOfNothing(size: number, blocks: number): boolean {
    if (blocks * BLOCK_BYTES >= size * SMALLEST_PART) return false;
    if (this.holes + size > MAX_HOLES) return true;
    this.holes += size;
    return false;
  }

  private leaveOut(path: string): void {
    this.leftOut += 1;
    this.example ||= path.slice(FILES.length);
  }
}

/** The mode with the type of the file, which the library cuts off: it takes a mode of 0 for one that is not given. */
function headerOf(name: string, { mode, uid, gid, mtime }: Stats) {
  const hasLargeId = uid > MAX_ID || gid > MAX_ID;
  return { name, mode, uid, gid, mtime, ...(hasLargeId && { pax: { uid: String(uid), gid: String(gid) } }) };
}

/** So many bytes of a file, whatever is written to it meanwhile: one that got shorter ends with zeros. */
async function* exactly(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const wanted = Math.min(64 * 1024, size - at);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(wanted), 0, wanted, at);
    yield bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
    at += bytesRead === 0 ? wanted : bytesRead;
  }
}

/** Whether it says what is wrong with something that was to be read, and not with what is written. */
function isOfPath(error: unknown): boolean {
  return error instanceof Error && 'path' in error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
