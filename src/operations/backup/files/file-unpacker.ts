import { chmod, lchown, link, lstat, mkdir, open, symlink, utimes, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Entry, Headers } from 'tar-stream';
import { parseUuid } from '../../../kernel/common';
import { DataDir } from '../../../data-dir';
import { FILES } from '../archive/format';
import { BackupError } from '../backup-error';

/** What most file systems have as the smallest hole. */
const BLOCK_BYTES = 4096;
const ZEROS = Buffer.alloc(BLOCK_BYTES);

/** Writes a new file; blocks of zeros become holes, so that it takes about as much of the disk as what it is a copy of. */
async function writeWithHoles(file: FileHandle, content: AsyncIterable<Buffer>): Promise<void> {
  let at = 0;
  for await (const chunk of content) {
    for (const [start, end] of dataIn(chunk, at))
      await writeAll(file, chunk.subarray(start, end), at + start);
    at += chunk.length;
  }
  // For a hole at its end.
  await file.truncate(at);
}

/**
 * The data ranges of a chunk of a sparse file: start and end, in bytes.
 * @param at the offset of the chunk in the file
 */
function* dataIn(chunk: Buffer, at: number): Generator<readonly [start: number, end: number]> {
  let start: number | null = null;
  for (let block = 0; block < chunk.length;) {
    const end = Math.min(chunk.length, block + BLOCK_BYTES - ((at + block) % BLOCK_BYTES));
    const isHole = ZEROS.compare(chunk, block, end, 0, end - block) === 0;
    if (isHole && start !== null) yield [start, block];
    start = isHole ? null : (start ?? block);
    block = end;
  }
  if (start !== null) yield [start, chunk.length];
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

/** Without those that have a program run as its owner. */
const PERMISSIONS = 0o1777;

const OUTSIDE = 'The backup has a file outside of what is restored, and cannot be.';

/** What is not because of one file, and ends the restore. */
const FATAL = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'];

/** Restores the files, folders and links of a backup, which is untrusted. */
export class FileUnpacker {
  /** Those that it made, with the permissions that they are to have. */
  private readonly folders = new Map<string, number>();
  /** How many files the backup has, and how many of them were made. */
  found = 0;
  files = 0;
  /** The number of files, folders and links that could not be restored. */
  leftOut = 0;
  /** The path of the first of them. */
  example = '';

  /** @param folder that the names are relative to; nothing that exists there is changed or followed */
  constructor(private readonly folder: string) {}

  /**
   * Makes one of them, or leaves it out where this system cannot; owners are kept where this process may set them.
   * @throws BackupError for a name that leads out of what is restored
   */
  async add(entry: Entry): Promise<void> {
    const path = pathOf(entry.header.name);
    refuseOtherKind(path, entry.header);
    const isFile = ['file', 'link'].includes(entry.header.type ?? '');
    if (isFile) this.found += 1;
    // Not below a link, nor below what could not be made.
    if (!this.folders.has(dirname(path)) && !DataDir.KEPT.includes(path)) {
      this.leaveOut(path);
      return;
    }
    try {
      await this.make(join(this.folder, path), path, entry);
      if (isFile) this.files += 1;
    } catch (error) {
      if (!isOfOne(error)) throw error;
      this.leaveOut(path);
    }
  }

  private async make(found: string, path: string, entry: Entry): Promise<void> {
    const { type, linkname, mode = 0o600, mtime } = entry.header;
    if (type === 'link') {
      await link(await this.fileNamed(linkname ?? ''), found);
      return;
    }
    if (type === 'directory') await mkdir(found, { mode: 0o700 });
    else if (type === 'symlink') await symlink(linkname ?? '', found);
    else await writeFile(found, entry);
    if (process.getuid?.() === 0) await giveToOwner(found, entry.header);
    if (type === 'directory') this.folders.set(path, mode & PERMISSIONS);
    if (type === 'directory' || type === 'symlink') return;
    await chmod(found, mode & PERMISSIONS);
    if (mtime !== undefined) await utimes(found, mtime, mtime);
  }

  /** A file of this restore, since its folders contain nothing else. */
  private async fileNamed(name: string): Promise<string> {
    const path = pathOf(name);
    const file = join(this.folder, path);
    // Some systems follow a symbolic link that gets another name.
    if (!this.folders.has(dirname(path)) || !(await lstat(file)).isFile()) throw new BackupError(OUTSIDE);
    return file;
  }

  private leaveOut(path: string): void {
    this.leftOut += 1;
    this.example ||= path;
  }

  /** Gives folders their permissions, after all that is in them: they may forbid to write there. */
  async end(): Promise<void> {
    for (const [path, mode] of [...this.folders].reverse()) await chmod(join(this.folder, path), mode);
  }
}

async function writeFile(found: string, entry: Entry): Promise<void> {
  const file = await open(found, 'wx', 0o600);
  try {
    await pipeline(entry, (content: AsyncIterable<Buffer>) => writeWithHoles(file, content));
  } finally {
    await file.close();
  }
}

function giveToOwner(found: string, { uid = 0, gid = 0, pax }: Headers): Promise<void> {
  return lchown(found, Number(pax?.uid ?? uid), Number(pax?.gid ?? gid));
}

/** Whether the error is about one file, not about the disk. */
function isOfOne(error: unknown): boolean {
  if (!(error instanceof Error && 'path' in error && 'code' in error)) return false;
  return !FATAL.includes(String(error.code));
}

/**
 * What the service itself works with in `DATA_DIR`, to the folders of sandboxes: a link in the place of it would lead it
 * elsewhere. A sandbox that was pre-warmed has one, from the id it had to the one it has.
 * @throws BackupError for anything else in the place of the folder or of a file
 */
function refuseOtherKind(path: string, { type, linkname }: Headers): void {
  const wanted = path === 'sandboxes' ? 'directory' : 'file';
  const [, driver, name, ...rest] = path.split('/');
  if (driver === undefined) {
    if (type !== wanted)
      throw new BackupError(`The backup has something else in the place of the ${wanted} ${path}.`);
    return;
  }
  if (rest.length > 0 || type === 'file' || type === 'directory') return;
  const isRenamed = type === 'symlink' && [name, linkname].every((id) => parseUuid(id ?? '') === id);
  if (!isRenamed) throw new BackupError(`The backup has a link in the place of ${path}.`);
}

/** @throws BackupError for a name that leads out of what is restored */
function pathOf(name: string): string {
  const path = name.slice(FILES.length).replace(/\/$/, '');
  const parts = path.split('/');
  if (!DataDir.KEPT.includes(parts[0] ?? '') || parts.some((part) => ['', '.', '..'].includes(part)))
    throw new BackupError(OUTSIDE);
  return path;
}
