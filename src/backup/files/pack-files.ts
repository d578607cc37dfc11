import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ArchiveWriter } from '../archive/archive-writer';
import { FILES } from '../archive/format';

/** What may go away while it is read, since sandboxes run meanwhile. */
const GONE = ['ENOENT', 'ELOOP', 'ENOTDIR'];

/**
 * Adds files and folders to a backup: files, folders and symbolic links, with owner, permissions and time. What else there
 * is (sockets, pipes) is of running processes.
 *
 * Agents may change their folders meanwhile. Each folder is read by its open handle, where the system has that, so that a
 * link that takes the place of a folder leads nowhere.
 * @param names in the folder; those that do not exist are left out
 * @returns how many files were added
 */
export async function packFiles(
  writer: ArchiveWriter,
  folder: string,
  names: readonly string[],
): Promise<number> {
  let files = 0;
  const add = async (parent: string, name: string, path: string): Promise<void> => {
    const found = join(parent, name);
    const stats = await lstat(found);
    if (stats.isDirectory()) {
      const handle = await open(found, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      try {
        await writer.entry({ ...headerOf(path, stats), type: 'directory' });
        const opened = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : found;
        for (const child of await readdir(opened))
          await unlessGone(() => add(opened, child, `${path}/${child}`));
      } finally {
        await handle.close();
      }
    } else if (stats.isSymbolicLink()) {
      await writer.entry({ ...headerOf(path, stats), type: 'symlink', linkname: await readlink(found) });
    } else if (stats.isFile()) {
      const handle = await open(found, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const { size } = await handle.stat();
        await writer.entry({ ...headerOf(path, stats), size }, Readable.from(exactly(handle, size)));
        files += 1;
      } finally {
        await handle.close();
      }
    }
  };
  for (const name of names) await unlessGone(() => add(folder, name, FILES + name));
  return files;
}

function headerOf(name: string, { mode, uid, gid, mtime }: Stats) {
  return { name, mode: mode & 0o7777, uid, gid, mtime };
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

async function unlessGone(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && GONE.includes(String(error.code)))) throw error;
  }
}
