import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ArchiveWriter } from '../archive/archive-writer';
import { describeProblem } from '../archive/archive-reader';
import { FILES } from '../archive/format';
import { BackupError } from '../backup-error';
import { SparseFileBudget } from './sparse-file-budget';
import { messageOf } from '../../../kernel/common';

/** A file that is open and cannot be read. What the system says of it then does not have its path. */
class UnreadableFile extends Error {
  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super(messageOf(cause), { cause });
    this.name = new.target.name;
  }
}

const PORTION_BYTES = 64 * 1024;

/**
 * What a file has, as many bytes as its entry in a backup says, whatever becomes of it meanwhile: one that got shorter ends
 * with zeros, and so does one of which the rest cannot be read.
 */
class FileContent {
  /** Why the rest could not be read; null where all of it was. */
  problem: unknown = null;

  constructor(
    private readonly file: FileHandle,
    private readonly size: number,
  ) {}

  /** Never fails for the file: an entry that has begun needs all of its bytes. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.size;) {
      const portion = await this.portion(at, Math.min(PORTION_BYTES, this.size - at));
      yield portion;
      at += portion.length;
    }
  }

  private async portion(at: number, wanted: number): Promise<Buffer> {
    const buffer = Buffer.alloc(wanted);
    // Each attempt may take a slow disk long.
    if (this.problem !== null) return buffer;
    try {
      const { bytesRead } = await this.file.read(buffer, 0, wanted, at);
      return bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
    } catch (error) {
      this.problem = error;
      return buffer;
    }
  }
}

/** What may go away while it is read, since sandboxes run meanwhile. */
const GONE = ['ENOENT', 'ELOOP', 'ENOTDIR'];

/** Of a path in bytes: with the folder that it is restored into, it has to be one that the system takes (4,096). */
const LONGEST_PATH = 3_000;

/** What user and group ids of a tar header may be; larger ones are written beside it. */
const MAX_ID = 0o777_777;

/** The outcome of adding files to a backup. */
export interface PackedFiles {
  readonly files: number;
  /** The number of files, folders and links of sandboxes that were skipped or are incomplete. */
  readonly leftOut: number;
  /** The path of the first of them. */
  readonly example: string;
}

/**
 * Adds files and folders to a backup: files, folders and links, with owner, permissions and time. What a file has is added
 * once, however many names (hard links) it has. What else there is (sockets, pipes) is of running processes.
 *
 * Nothing that agents make ends a backup. Left out is what cannot be read, has a name or target that is not UTF-8 or a path
 * that is too long, and files that are nearly all holes, whose zeros would take hours. What of a file cannot be read is zeros.
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
  private readonly holes = new SparseFileBudget();
  /** Files with more names than were met so far, by their number. */
  private readonly linked = new Map<string, { readonly path: string; namesLeft: number }>();

  constructor(private readonly writer: ArchiveWriter) {}

  /** @param path in the backup */
  async add(found: string, path: string): Promise<void> {
    const stats = await lstat(found);
    if (stats.isDirectory()) await this.addFolder(found, path, stats);
    else if (stats.isSymbolicLink()) await this.addLink(found, path, stats);
    else if (stats.isFile()) await this.addFile(found, path);
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

  private async addFile(found: string, path: string): Promise<void> {
    const handle = await open(found, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat().catch((error: unknown) => {
        throw new UnreadableFile(found, error);
      });
      // A folder or pipe may have replaced the file since it was listed.
      if (stats.isFile()) await this.addContent(found, path, handle, stats);
      else this.leaveOut(path);
    } finally {
      await handle.close();
    }
  }

  private async addContent(found: string, path: string, handle: FileHandle, stats: Stats): Promise<void> {
    const { dev, ino, nlink, size } = stats;
    const number = `${dev} ${ino}`;
    const known = this.linked.get(number);
    if (known !== undefined) {
      await this.writer.entry({ ...headerOf(path, stats), type: 'link', linkname: known.path });
      this.files += 1;
      if (--known.namesLeft === 0) this.linked.delete(number);
      return;
    }
    if (!this.holes.take(stats)) {
      this.leaveOut(path);
      return;
    }
    const content = new FileContent(handle, size);
    await this.writer.entry({ ...headerOf(path, stats), size }, Readable.from(content));
    this.files += 1;
    if (nlink > 1) this.linked.set(number, { path, namesLeft: nlink - 1 });
    // Not before: the entry is whole, and so is the backup.
    if (content.problem !== null) throw new UnreadableFile(found, content.problem);
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

/** Whether the error is about reading the source, not about writing the archive. */
function isOfPath(error: unknown): boolean {
  return error instanceof Error && 'path' in error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
